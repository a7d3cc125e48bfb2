import assert from 'node:assert/strict';
import { createPublicKey, randomBytes, sign, verify, X509Certificate } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createKeySealing } from '../../../src/adapters/credentials/key-sealing.ts';
import { createSigners } from '../../../src/adapters/credentials/signers.ts';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import type { Signer } from '../../../src/application/ports/signer.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import { MORNING, newTenant } from '../../engines/samples.ts';
import { createCertificate, otherKeyPair, type TestCertificate } from '../../support/certificate.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

const SECOND_MS = 1_000;
const KEY = randomBytes(32).toString('base64');
const first = createCertificate({ serial: 'A1' });
const second = createCertificate({ serial: 'B2', keys: otherKeyPair() });

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

async function addTenant(): Promise<Edb> {
  const tenant = newTenant();
  await database.storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
  return tenant.edb;
}

async function give(tenant: Edb, { certificatePem, privateKeyPem, serial }: TestCertificate, changedAt: number) {
  const facts = { certificate: certificatePem, serialNumber: serial, validTo: MORNING, changedAt };
  const sealed = createKeySealing([KEY], systemRandom).seal(tenant, privateKeyPem);
  await database.storage.transaction((tx) => tx.credentials.save({ tenant, ...facts, ...sealed }));
}

/** Signers over the real store, with a clock that the test moves and a count of the keys that were opened. */
function openSigners(keys: readonly string[] = [KEY]) {
  const clock = clockAt();
  const counted = { opened: 0, lookUps: 0 };
  const signers = createSigners({
    credentials: {
      find(tenant) {
        counted.lookUps += 1;
        return database.storage.credentials.find(tenant);
      },
    },
    sealing: createKeySealing(keys, systemRandom),
    async createSigner(certificatePem, privateKeyPem) {
      counted.opened += 1;
      return signerOf(certificatePem, privateKeyPem);
    },
    createCommandSigner: (certificatePem, name) => ({
      ...signerOf(certificatePem, first.privateKeyPem),
      sign: async (text) => `${name} signs ${text}`,
    }),
    clock,
  });
  return { ...signers, clock, counted };
}

function signerOf(certificatePem: string, privateKeyPem: string): Signer {
  const { serialNumber, raw, validToDate } = new X509Certificate(certificatePem);
  return {
    serialNumber,
    certificate: raw.toString('base64'),
    validTo: validToDate.toISOString(),
    sign: async (text) => sign('sha256', Buffer.from(text), privateKeyPem).toString('base64url'),
  };
}

test('a tenant signs with its own key, which is opened once for many documents', async () => {
  const [one, two] = [await addTenant(), await addTenant()];
  await give(one, first, MORNING);
  await give(two, second, MORNING);
  const signers = openSigners();
  for (const [tenant, { certificatePem, serial }] of [[one, first] as const, [two, second] as const]) {
    const signer = (await signers.find(tenant)) ?? assert.fail();
    const signature = Buffer.from(await signer.sign('text'), 'base64url');
    assert.equal(signer.serialNumber, serial);
    assert.ok(verify('sha256', Buffer.from('text'), createPublicKey(certificatePem), signature));
  }
  for (let document = 0; document < 50; document += 1) {
    signers.clock.advance(SECOND_MS / 4);
    await signers.find(one);
  }
  assert.equal(signers.counted.opened, 2);
  assert.ok(signers.counted.lookUps < 20);
});

test('a tenant whose key is elsewhere signs by the command that was sealed for it, and by no other', async () => {
  const [tenant, other] = [await addTenant(), await addTenant()];
  const sealed = createKeySealing([KEY], systemRandom).sealCommand(tenant, 'TOKEN');
  const facts = { certificate: first.certificatePem, serialNumber: first.serial, validTo: MORNING, changedAt: MORNING };
  await database.storage.transaction(async (tx) => {
    await tx.credentials.save({ tenant, ...facts, ...sealed });
    await tx.credentials.save({ tenant: other, ...facts, ...sealed });
  });
  const signers = openSigners();
  assert.equal(await (await signers.find(tenant))?.sign('text'), 'TOKEN signs text');
  await assert.rejects(signers.find(other), /was sealed for another tenant/u);
  const asKey = Buffer.from(sealed.sealedKey);
  asKey[0] = 1;
  await database.storage.transaction((tx) =>
    tx.credentials.save({ tenant, ...facts, ...sealed, sealedKey: asKey, changedAt: MORNING + 1 }),
  );
  signers.clock.advance(SECOND_MS);
  await assert.rejects(signers.find(tenant), /is damaged/u);
});

test('a new certificate is used a second later at the latest, also by who signs all the time', async () => {
  const tenant = await addTenant();
  await give(tenant, first, MORNING);
  const signers = openSigners();
  await signers.find(tenant);
  await give(tenant, second, MORNING + 1);
  let afterMs = 0;
  while ((await signers.find(tenant))?.serialNumber !== second.serial) {
    signers.clock.advance(10);
    afterMs += 10;
    assert.ok(afterMs <= SECOND_MS);
  }
  assert.equal(signers.counted.opened, 2);
});

test('who has no certificate has no signer, and one from the moment there is a certificate', async () => {
  const tenant = await addTenant();
  const signers = openSigners();
  assert.equal(await signers.find(tenant), null);
  await give(tenant, first, MORNING);
  assert.equal((await signers.find(tenant))?.serialNumber, first.serial);
});

test('a clock that steps back does not keep an old certificate alive', async () => {
  const tenant = await addTenant();
  await give(tenant, first, MORNING);
  const signers = openSigners();
  await signers.find(tenant);
  await give(tenant, second, MORNING + 1);
  signers.clock.advance(-3_600_000);
  assert.equal((await signers.find(tenant))?.serialNumber, second.serial);
});

test('a key that does not open is told every time, and opens once it can', async () => {
  const tenant = await addTenant();
  await give(tenant, first, MORNING);
  const signers = openSigners([randomBytes(32).toString('base64')]);
  for (let time = 0; time < 2; time += 1) {
    await assert.rejects(signers.find(tenant), new RegExp(`${tenant} was sealed with another CREDENTIALS_KEY`));
  }
  assert.equal(signers.counted.opened, 0);
});

test('no more than a thousand keys lie open; who was asked for longest ago goes first', async () => {
  const tenants = await Promise.all(Array.from({ length: 1_001 }, addTenant));
  await Promise.all(tenants.map((tenant) => give(tenant, first, MORNING)));
  const [oldest, ...others] = tenants;
  assert.ok(oldest !== undefined);
  const signers = openSigners();
  for (const tenant of tenants) await signers.find(tenant);
  assert.equal(signers.counted.opened, 1_001);
  for (const tenant of others) await signers.find(tenant);
  assert.equal(signers.counted.opened, 1_001);
  await signers.find(oldest);
  assert.equal(signers.counted.opened, 1_002);
});
