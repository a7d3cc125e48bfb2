import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { systemHasher } from '../../../src/adapters/platform/platform.ts';
import { Problem } from '../../../src/application/errors/problem.ts';
import type { ErrorCode } from '../../../src/application/errors/problem-catalogue.ts';
import { submitOutbound } from '../../../src/application/intake/submit-outbound.ts';
import type { Storage } from '../../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import { ANY_OUTBOUND, MORNING, newTenant, plain } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { sharedReader } from '../../support/shared-reader.ts';
import { clockAt } from '../../support/test-clock.ts';
import { callerOf } from '../accounts/callers.ts';

const HOUR_MS = 3_600_000;
const ANY_AUDIT = { keyId: null, docUid: null, since: null, until: null, limit: 1_000 };

let database: TestDatabase;
let invoice = '';
before(async () => {
  database = await createTestDatabase();
  invoice = await readFile(new URL('../../../docs/examples/invoice.xml', import.meta.url), 'utf8');
});
after(async () => {
  await database.close();
});

/** The bytes of a valid invoice; `note` makes them differ from any other. Each call gives a buffer of its own. */
function body(note = ''): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${invoice}<!-- ${note} -->`);
}

function submitter(clock = clockAt(), storage: Storage = database.storage) {
  return submitOutbound({ storage, reader: sharedReader(), hasher: systemHasher, clock, holdMs: 0 });
}

async function stored(tenant: Edb): Promise<number> {
  return (await database.storage.outbound.list(tenant, ANY_OUTBOUND, { page: 1, pageSize: 1 })).totalCount;
}

function refusedWith(code: ErrorCode) {
  return (error: unknown) => error instanceof Problem && error.code === code;
}

test('a submission is stored whole: bytes, facts, history, and its audit entry with it', async () => {
  const caller = callerOf();
  const { edb } = caller.tenant;
  const result = await submitter().submit(caller, 'one', body('whole'));
  const { docUid } = result;
  assert.deepEqual(result, { docUid, status: 10, receivedAt: MORNING, alreadyExisted: false });
  const { storage } = database;
  const found = await storage.outbound.find(edb, docUid);
  assert.deepEqual([found?.partnerEdb, found?.software, found?.status], ['4080026000023', 'ledger', 10]);
  const file = await storage.outbound.file(edb, docUid, 'ubl');
  assert.deepEqual(plain(file?.bytes ?? new Uint8Array()), body('whole'));
  assert.equal((await storage.outbound.history(edb, docUid)).length, 1);
  const [entry, ...more] = await storage.audit.read({ ...ANY_AUDIT, tenant: edb });
  assert.deepEqual([entry?.docUid, entry?.httpStatus, more.length], [docUid, 201, 0]);
  assert.equal(caller.timesAudited(), 1);
});

test('the same key and bytes again give the first answer and write nothing, for an hour', async () => {
  const [caller, clock] = [callerOf(), clockAt()];
  const { submit } = submitter(clock);
  const first = await submit(caller, 'one', body());
  clock.advance(HOUR_MS - 1);
  const repeat = callerOf(caller.tenant);
  assert.deepEqual(await submit(repeat, 'one', body()), { ...first, alreadyExisted: true });
  assert.equal(repeat.timesAudited(), 0);
  assert.equal(await stored(caller.tenant.edb), 1);
});

test('after an hour the key is free: the same bytes are a new document', async () => {
  const [caller, clock] = [callerOf(), clockAt()];
  const { submit } = submitter(clock);
  const first = await submit(caller, 'one', body());
  clock.advance(HOUR_MS);
  const second = await submit(caller, 'one', body());
  assert.equal(second.alreadyExisted, false);
  assert.notEqual(second.docUid, first.docUid);
});

test('the same key with other bytes is refused, and the first document stays what it is', async () => {
  const caller = callerOf();
  const { submit } = submitter();
  await submit(caller, 'one', body());
  await assert.rejects(submit(caller, 'one', body('changed')), refusedWith('ERR-2010'));
  await assert.rejects(submit(caller, 'one', new TextEncoder().encode('not even XML')), refusedWith('ERR-2010'));
  assert.equal(await stored(caller.tenant.edb), 1);
});

test('a repeat is answered like the first even when the document was cancelled meanwhile', async () => {
  const caller = callerOf();
  const { submit } = submitter();
  const { docUid } = await submit(caller, 'one', body());
  const record = { at: MORNING, failureCode: null, failureMessage: null };
  await database.storage.transaction((tx) => tx.outbound.move(caller.tenant.edb, docUid, 10, 'cancel', record));
  assert.equal((await submit(caller, 'one', body())).status, 10);
});

test('a key is one of the tenant and of the software the API key was issued for', async () => {
  const caller = callerOf();
  const { submit } = submitter();
  await submit(caller, 'one', body());
  for (const other of [callerOf(caller.tenant, 'shop'), callerOf()]) {
    assert.equal((await submit(other, 'one', body())).alreadyExisted, false);
  }
  assert.equal((await submit(callerOf(caller.tenant), 'one', body())).alreadyExisted, true);
});

test('keys are compared letter for letter, however long or strange they are', async () => {
  const caller = callerOf();
  const { submit } = submitter();
  const keys = ['a', 'A', ' a', 'a ', 'ä', 'x'.repeat(10_000), `${'x'.repeat(9_999)}y`, "'; --"];
  for (const key of keys) assert.equal((await submit(caller, key, body())).alreadyExisted, false, key.slice(0, 20));
  assert.equal(await stored(caller.tenant.edb), keys.length);
});

test('fifty equal submissions at the same moment, by two programs, are one document', async () => {
  const { tenant } = callerOf();
  const other = (await database.openAgain()).storage;
  const callers = Array.from({ length: 50 }, () => callerOf(tenant));
  const [one, two] = [submitter(), submitter(clockAt(), other)];
  const results = await Promise.all(
    callers.map((caller, index) => (index % 2 === 0 ? one : two).submit(caller, 'same', body('fifty'))),
  );
  assert.equal(results.filter(({ alreadyExisted }) => !alreadyExisted).length, 1);
  assert.equal(new Set(results.map(({ docUid }) => docUid)).size, 1);
  assert.equal(await stored(tenant.edb), 1);
  assert.equal((await database.storage.audit.read({ ...ANY_AUDIT, tenant: tenant.edb })).length, 1);
  assert.equal(callers.filter((caller) => caller.timesAudited() === 1).length, 1);
});

test('different bytes under one key at the same moment: one is stored, the others are refused', async () => {
  const { tenant } = callerOf();
  const { submit } = submitter();
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) => submit(callerOf(tenant), 'same', body(`version ${index}`))),
  );
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const result of results) assert.ok(result.status === 'fulfilled' || refusedWith('ERR-2010')(result.reason));
  assert.equal(await stored(tenant.edb), 1);
});

test('a refused submission uses up nothing: neither its key nor a place in the list', async () => {
  const caller = callerOf();
  const { submit } = submitter();
  await assert.rejects(submit(caller, 'one', new TextEncoder().encode('<Order/>')), refusedWith('ERR-2002'));
  await assert.rejects(submit(caller, 'one', new TextEncoder().encode('{"tenantId": 1}')), refusedWith('ERR-1007'));
  assert.equal(await stored(caller.tenant.edb), 0);
  assert.equal((await submit(caller, 'one', body())).alreadyExisted, false);
});

test('when the audit entry cannot be written the document is not stored either, and the key stays free', async () => {
  const caller = callerOf();
  const broken = {
    ...caller,
    call: { ...caller.call, auditEntry: () => ({ ...caller.call.auditEntry, path: undefined }) as never },
  };
  await assert.rejects(submitter().submit(broken, 'one', body()));
  assert.equal(await stored(caller.tenant.edb), 0);
  assert.equal(caller.timesAudited(), 0);
  assert.equal((await submitter().submit(caller, 'one', body())).alreadyExisted, false);
});

test('outbound switched off is noticed before a missing key, and a blank key is missing', () => {
  const { checkHeaders } = submitter();
  const disabled = callerOf(newTenant({ outboundEnabled: false }));
  assert.throws(() => checkHeaders(disabled, undefined), refusedWith('ERR-9001'));
  for (const key of [undefined, '', '  ', '\t'])
    assert.throws(() => checkHeaders(callerOf(), key), refusedWith('ERR-2013'));
  assert.equal(checkHeaders(callerOf(), ' a '), ' a ');
});

test('a document whose tenant was changed by the operator while it came is not stored', async () => {
  const { storage } = database;
  for (const [change, code] of [
    [{ environment: 'production' }, null],
    [{ outboundEnabled: false }, 'ERR-9001'],
  ] as const) {
    const tenant = newTenant({ environment: 'test', outboundEnabled: true });
    await storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
    const caller = callerOf(tenant);
    await storage.transaction((tx) => tx.tenants.update({ ...tenant, ...change }));
    await assert.rejects(
      submitter().submit(caller, 'one', body()),
      (error: unknown) => error instanceof Problem && error.code === code && error.status === 409,
    );
    assert.equal(await stored(tenant.edb), 0);
    assert.equal(caller.timesAudited(), 0);
  }
});
