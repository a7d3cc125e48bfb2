import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import type { AuditFilter, AuditPage } from '../../src/application/ports/storage/audit-store.ts';
import { type DocUid, firstDocUidAt } from '../../src/domain/documents/doc-uid.ts';
import type { CodeListEntry } from '../../src/domain/values/code-list.ts';
import { logStatements } from '../adapters/sql/stores/statement-log.ts';
import { onEveryEngine } from '../support/engines.ts';
import { MORNING, newAuditEntry, newEdb, newKey, newTenant } from './samples.ts';

const ANY: AuditFilter = { tenant: null, keyId: null, docUid: null, since: null, until: null, limit: 1_000 };

onEveryEngine('the audit trail', (database) => {
  const append = (...entries: ReturnType<typeof newAuditEntry>[]) =>
    database().storage.transaction((tx) => tx.audit.append(entries));
  const read = (filter: Partial<AuditFilter>) => database().storage.audit.read({ ...ANY, ...filter });

  test('an entry comes back with everything it was written with', async () => {
    const entry = newAuditEntry({
      tenant: newEdb(),
      keyId: 'key-1',
      softwareId: 'сметководство/4.2',
      docUid: firstDocUidAt(MORNING),
      httpStatus: 404,
      code: 'ERR-3001',
      address: '2001:db8::1',
      durationMs: 0.375,
    });
    await append(entry);
    assert.deepEqual(await read({ tenant: entry.tenant }), [entry]);
  });

  test('a call whose key was not recognised is kept without a tenant', async () => {
    const requestId = 'nobody';
    await append(newAuditEntry({ requestId, code: 'ERR-1001', httpStatus: 401, softwareId: null }));
    const found = (await read({})).filter((entry) => entry.requestId === requestId);
    assert.deepEqual(
      found.map(({ tenant, keyId, softwareId }) => [tenant, keyId, softwareId]),
      [[null, null, null]],
    );
  });

  test('entries are read newest first, no more than asked', async () => {
    const tenant = newEdb();
    await append(...[2, 5, 1, 4, 3].map((at) => newAuditEntry({ tenant, at: MORNING + at })));
    const times = (await read({ tenant, limit: 3 })).map(({ at }) => at - MORNING);
    assert.deepEqual(times, [5, 4, 3]);
  });

  test('the last change of an environment is found among the commands about its tenant, from a time on', async () => {
    const [tenant, other] = [newEdb(), newEdb()];
    const command = { tenant, method: 'COMMAND', operator: 'ana' };
    await append(
      newAuditEntry({ ...command, at: MORNING + 1, path: `tenant set ${tenant} environment` }),
      newAuditEntry({ ...command, at: MORNING + 2, path: `tenant set ${tenant} name environment eujpId` }),
      newAuditEntry({ ...command, at: MORNING + 3, path: `tenant set ${tenant} name` }),
      newAuditEntry({ ...command, at: MORNING + 4, operator: null, path: `tenant set ${tenant} environment` }),
      newAuditEntry({ ...command, at: MORNING + 5, tenant: other, path: `tenant set ${other} environment` }),
    );
    const changedAt = (since: number) => database().storage.audit.environmentChangedAt(tenant, since);
    assert.deepEqual(await Promise.all([0, 2, 3].map((since) => changedAt(MORNING + since))), [
      MORNING + 2,
      MORNING + 2,
      null,
    ]);
  });

  test('both ends of a time span are included', async () => {
    const tenant = newEdb();
    await append(...[1, 2, 3, 4, 5].map((at) => newAuditEntry({ tenant, at: MORNING + at })));
    const times = (await read({ tenant, since: MORNING + 2, until: MORNING + 4 })).map(({ at }) => at - MORNING);
    assert.deepEqual(times, [4, 3, 2]);
  });

  test('a tenant, a key and a document each find their entries and no others', async () => {
    const [one, two] = [newEdb(), newEdb()];
    const docUid = firstDocUidAt(MORNING + 77);
    await append(
      newAuditEntry({ tenant: one, keyId: 'key-a', docUid, requestId: '1' }),
      newAuditEntry({ tenant: one, keyId: 'key-b', requestId: '2' }),
      newAuditEntry({ tenant: two, keyId: 'key-c', requestId: '3' }),
    );
    const ids = async (filter: Partial<AuditFilter>) => (await read(filter)).map(({ requestId }) => requestId).sort();
    assert.deepEqual(await ids({ tenant: one }), ['1', '2']);
    assert.deepEqual(await ids({ tenant: two }), ['3']);
    assert.deepEqual(await ids({ tenant: one, keyId: 'key-b' }), ['2']);
    await database().storage.transaction(async (tx) => {
      await tx.tenants.add(newTenant({ edb: one }), MORNING);
      await tx.keys.add(newKey(one, { keyId: 'key-b' }), new Uint8Array(32));
    });
    assert.deepEqual(await ids({ keyId: 'key-b' }), ['2']);
    assert.deepEqual(await ids({ docUid }), ['1']);
    assert.deepEqual(await ids({ tenant: two, docUid }), []);
  });

  test('the newest of all tenants are found without reading as many of each', async () => {
    const since = MORNING + 86_400_000;
    const tenants = Array.from({ length: 12 }, newEdb).toSorted();
    const entries = tenants.flatMap((tenant, index) =>
      [0, 1, 2, 3].map((nth) =>
        newAuditEntry({ tenant, at: since + 100 - 4 * index - nth, requestId: `${index} ${nth}` }),
      ),
    );
    await append(...entries);
    const { engine, take } = logStatements(database().engine);
    const found = await createStorage(engine, systemRandom).audit.read({ ...ANY, since, limit: 4 });
    assert.deepEqual(
      found.map(({ requestId }) => requestId),
      ['0 0', '0 1', '0 2', '0 3'],
    );
    const read = take().filter(({ text }) => text.includes('request_id'));
    assert.ok(read.reduce((rows, statement) => rows + statement.rows, 0) <= 8);
  });

  test('page by page all entries of all tenants are found once, also those of one millisecond', async () => {
    const since = MORNING + 2 * 86_400_000;
    const tenants = Array.from({ length: 3 }, newEdb);
    const entries = tenants.flatMap((tenant, index) =>
      Array.from({ length: 7 }, (_, nth) =>
        newAuditEntry({ tenant, at: since + Math.floor(nth / 3), requestId: `page ${index} ${nth}` }),
      ),
    );
    await append(...entries);
    const { audit } = database().storage;
    const pages: number[] = [];
    const found: string[] = [];
    let olderThan: DocUid | null = null;
    do {
      const { entries: some, next }: AuditPage = await audit.page({ ...ANY, since, limit: 5 }, olderThan);
      pages.push(some.length);
      found.push(...some.map(({ requestId }) => requestId));
      olderThan = next;
    } while (olderThan !== null);
    assert.deepEqual(pages, [5, 5, 5, 5, 1]);
    assert.deepEqual(found.toSorted(), entries.map(({ requestId }) => requestId).toSorted());
    assert.equal((await audit.page({ ...ANY, since, limit: 21 }, null)).next, null, 'exactly full');
  });

  test('entries of one millisecond are all kept', async () => {
    const tenant = newEdb();
    await append(...Array.from({ length: 500 }, (_, index) => newAuditEntry({ tenant, requestId: String(index) })));
    assert.equal(new Set((await read({ tenant })).map(({ requestId }) => requestId)).size, 500);
  });

  test('entries of a transaction that fails are not kept', async () => {
    const tenant = newEdb();
    const failing = database().storage.transaction(async (tx) => {
      await tx.audit.append([newAuditEntry({ tenant })]);
      throw new Error('undone');
    });
    await assert.rejects(failing, /undone/);
    assert.deepEqual(await read({ tenant }), []);
  });
});

onEveryEngine('the code list cache', (database) => {
  const old = { code: 'Р10', name: 'Готовина', active: true, validFrom: '2026-01-01', validTo: null };
  const entry: CodeListEntry = { ...old, details: { percent: 18.5, note: null, isDefault: false, vatImpact: 'NULA' } };

  test('a list is kept per environment and type, with the time it was read', async () => {
    const { storage } = database();
    assert.equal(await storage.codeLists.find('test', 'currencies'), null);
    const list = { entries: [entry, { ...entry, code: 'x', active: false }], readAt: MORNING };
    await storage.transaction((tx) => tx.codeLists.save('test', 'currencies', list));
    assert.deepEqual(await storage.codeLists.find('test', 'currencies'), list);
    assert.equal(await storage.codeLists.find('production', 'currencies'), null);
    assert.equal(await storage.codeLists.find('test', 'countries'), null);
  });

  test('entries that an older release kept without details have none', async () => {
    const { storage, engine } = database();
    await engine.transaction((sql) =>
      sql.run('insert into code_list (environment, type, entries, read_at) values ($1, $2, $3, $4)', [
        'test',
        'tax-groups',
        JSON.stringify([old]),
        MORNING,
      ]),
    );
    const kept = await storage.codeLists.find('test', 'tax-groups');
    assert.deepEqual(kept, { entries: [{ ...old, details: {} }], readAt: MORNING });
  });

  test('a list that is read again replaces the older one', async () => {
    const { storage } = database();
    await storage.transaction((tx) => tx.codeLists.save('test', 'countries', { entries: [entry], readAt: MORNING }));
    const empty = { entries: [], readAt: MORNING + 1 };
    await storage.transaction((tx) => tx.codeLists.save('test', 'countries', empty));
    assert.deepEqual(await storage.codeLists.find('test', 'countries'), empty);
  });
});
