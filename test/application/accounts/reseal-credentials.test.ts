import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { createKeySealing } from '../../../src/adapters/credentials/key-sealing.ts';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import { resealCredentials } from '../../../src/application/accounts/reseal-credentials.ts';
import type { Storage } from '../../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import { MORNING, newTenant, recordTest } from '../../engines/samples.ts';
import { onEveryEngine } from '../../support/engines.ts';

const [FORMER, CURRENT, LOST] = [newKey(), newKey(), newKey()];
const ANY_ENTRY = { tenant: null, keyId: null, docUid: null, since: null, until: null, limit: 1_000 };
const both = createKeySealing([CURRENT, FORMER], systemRandom);
const currentAlone = createKeySealing([CURRENT], systemRandom);

function newKey(): string {
  return randomBytes(32).toString('base64');
}

onEveryEngine('after the sealing key was replaced, private keys', (database) => {
  beforeEach(async () => {
    await database().engine.transaction((sql) => sql.run('delete from credential', []));
  });

  async function addSealedWith(key: string): Promise<Edb> {
    const { edb } = newTenant();
    const sealed = createKeySealing([key], systemRandom).seal(edb, `private key of ${edb}`);
    const rest = { certificate: 'PEM', serialNumber: '1A', validTo: MORNING + 1, changedAt: MORNING };
    await database().storage.transaction(async (tx) => {
      await tx.tenants.add(newTenant({ edb }), MORNING);
      await tx.credentials.save({ tenant: edb, ...rest, ...sealed });
    });
    return edb;
  }

  const find = async (edb: Edb) => (await database().storage.credentials.find(edb)) ?? assert.fail();
  const reseal = (storage: Storage = database().storage) =>
    resealCredentials({ storage, sealing: both, record: recordTest })(() => undefined);

  test('are all sealed with the current one, and nothing else of a credential changes', async () => {
    const old = [await addSealedWith(FORMER), await addSealedWith(FORMER)];
    const fresh = await addSealedWith(CURRENT);
    const before = await find(fresh);
    assert.deepEqual(await reseal(), { resealed: 2, current: 1, unopened: [] });
    for (const edb of [...old, fresh]) {
      const { certificate, serialNumber, validTo, changedAt } = await find(edb);
      assert.deepEqual(currentAlone.open(await find(edb)), { kind: 'private-key', pem: `private key of ${edb}` });
      assert.deepEqual([certificate, serialNumber, validTo, changedAt], ['PEM', '1A', MORNING + 1, MORNING]);
    }
    assert.deepEqual(await find(fresh), before);
    const entries = await database().storage.audit.read(ANY_ENTRY);
    for (const edb of old) {
      assert.equal(
        entries.filter(({ path, tenant }) => path === `credentials reseal ${edb}` && tenant === edb).length,
        1,
      );
    }
    assert.deepEqual(await reseal(), { resealed: 0, current: 3, unopened: [] });
  });

  test('that were sealed when a run was interrupted are not sealed again by the next one', async () => {
    for (let count = 0; count < 3; count += 1) await addSealedWith(FORMER);
    const { storage } = database();
    let transactions = 0;
    const interrupted: Storage = {
      ...storage,
      transaction(work) {
        transactions += 1;
        return transactions === 3 ? Promise.reject(new Error('interrupted')) : storage.transaction(work);
      },
    };
    await assert.rejects(reseal(interrupted), /interrupted/u);
    assert.deepEqual(await reseal(), { resealed: 1, current: 2, unopened: [] });
  });

  test('that no key opens are named, and do not keep the others from being sealed', async () => {
    const lost = await addSealedWith(LOST);
    await addSealedWith(FORMER);
    const { resealed, current, unopened } = await reseal();
    assert.deepEqual([resealed, current, unopened.map(({ tenant }) => tenant)], [1, 0, [lost]]);
    assert.match(unopened[0]?.reason ?? '', /sealed with another CREDENTIALS_KEY/u);
    assert.deepEqual(createKeySealing([LOST], systemRandom).open(await find(lost)), {
      kind: 'private-key',
      pem: `private key of ${lost}`,
    });
  });

  test('and names of signing commands stay what they are', async () => {
    const edb = await addSealedWith(FORMER);
    const credential = await find(edb);
    const sealed = createKeySealing([FORMER], systemRandom).sealCommand(edb, 'TOKEN');
    await database().storage.transaction((tx) => tx.credentials.save({ ...credential, ...sealed }));
    assert.deepEqual(await reseal(), { resealed: 1, current: 0, unopened: [] });
    assert.deepEqual(currentAlone.open(await find(edb)), { kind: 'signing-command', name: 'TOKEN' });
  });

  test('that are replaced at the same moment stay replaced', async () => {
    const edb = await addSealedWith(FORMER);
    const { sealedKey } = await find(edb);
    const replaced = { ...(await find(edb)), ...currentAlone.seal(edb, 'a new private key'), changedAt: MORNING + 5 };
    await database().storage.transaction((tx) => tx.credentials.save(replaced));
    const late = both.seal(edb, `private key of ${edb}`);
    const { storage } = database();
    assert.equal(await storage.transaction((tx) => tx.credentials.reseal(edb, sealedKey, late)), false);
    assert.deepEqual(currentAlone.open(await find(edb)), { kind: 'private-key', pem: 'a new private key' });
    assert.deepEqual(await reseal(), { resealed: 0, current: 1, unopened: [] });
  });
});
