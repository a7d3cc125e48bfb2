import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SealedCredential } from '../../src/application/ports/storage/credential-store.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { onEveryEngine } from '../support/engines.ts';
import { MORNING, newEdb, newTenant, plain } from './samples.ts';

function newCredential(tenant: Edb, changes: Partial<SealedCredential> = {}): SealedCredential {
  return {
    tenant,
    certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    serialNumber: '1A2B3C',
    validTo: MORNING + 1,
    sealedKey: Uint8Array.from({ length: 256 }, (_, index) => index),
    sealedBy: '0123456789abcdef',
    changedAt: MORNING,
    ...changes,
  };
}

onEveryEngine('credentials', (database) => {
  const save = (credential: SealedCredential) =>
    database().storage.transaction((tx) => tx.credentials.save(credential));

  async function find(tenant: Edb): Promise<SealedCredential | null> {
    const found = await database().storage.credentials.find(tenant);
    return found && { ...found, sealedKey: plain(found.sealedKey) };
  }

  async function addTenant(): Promise<Edb> {
    const tenant = newTenant();
    await database().storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
    return tenant.edb;
  }

  test('a credential is found as it was saved, to the last byte, and only by its tenant', async () => {
    const tenant = await addTenant();
    const credential = newCredential(tenant);
    await save(credential);
    assert.deepEqual(await find(tenant), credential);
    assert.equal(await find(await addTenant()), null);
  });

  test('a tenant has one credential: a new one replaces the old one, and no other', async () => {
    const [tenant, neighbour] = [await addTenant(), await addTenant()];
    await save(newCredential(tenant));
    await save(newCredential(neighbour));
    const renewed = newCredential(tenant, {
      certificate: 'renewed',
      serialNumber: 'FF',
      validTo: MORNING + 9,
      sealedKey: Uint8Array.of(1),
      sealedBy: 'fedcba9876543210',
      changedAt: MORNING + 5,
    });
    await save(renewed);
    assert.deepEqual(await find(tenant), renewed);
    assert.deepEqual(await find(neighbour), newCredential(neighbour));
  });

  test('a credential needs a tenant', async () => {
    await assert.rejects(save(newCredential(newEdb())));
  });

  test('the list holds the credentials of all, by their EDB', async () => {
    const tenants = [await addTenant(), await addTenant()];
    for (const tenant of tenants.toReversed()) await save(newCredential(tenant));
    const listed = (await database().storage.credentials.list()).map(({ tenant }) => tenant);
    assert.deepEqual(listed, listed.toSorted());
    for (const tenant of tenants) assert.ok(listed.includes(tenant));
  });

  test('all are read page by page in the order of tenants, and what is known of their certificates at once', async () => {
    const tenants = (await Promise.all([addTenant(), addTenant(), addTenant()])).toSorted();
    for (const tenant of tenants) await save(newCredential(tenant, { serialNumber: `S-${tenant}` }));
    const { credentials } = database().storage;
    const read: string[] = [];
    for (;;) {
      const page = await credentials.page(read.at(-1) ?? '', 2);
      read.push(...page.map(({ tenant }) => tenant));
      if (page.length < 2) break;
    }
    const facts = await credentials.facts();
    assert.deepEqual(
      read,
      facts.map(({ tenant }) => tenant),
    );
    assert.deepEqual(
      facts.filter(({ tenant }) => tenants.includes(tenant)).map((one) => ({ ...one })),
      tenants.map((tenant) => ({
        tenant,
        serialNumber: `S-${tenant}`,
        validTo: MORNING + 1,
        changedAt: MORNING,
      })),
    );
  });
});
