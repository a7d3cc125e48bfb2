import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createAuditBuffer } from '../../src/adapters/platform/audit-buffer.ts';
import { systemClock, systemHasher, systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { sealAuditTrail } from '../../src/application/audit/seal-audit-trail.ts';
import { CommitUnknown } from '../../src/application/errors/commit-unknown.ts';
import { freshInvoice } from '../contract/support/documents.ts';
import { newTenant } from '../contract/support/tenant.ts';
import { postgresServer } from '../support/postgres.ts';
import { temporaryFolder, until } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { type CommitCutter, startCommitCutter } from './commit-cutter.ts';
import { MORNING, newAuditEntry, newEdb, newInbound, newSubmission } from './samples.ts';

/** Of all services on the database: the demo keeps the key there that its private keys are sealed with. */
const folder = temporaryFolder();
const ENTRY = 'insert into audit (';
const ANY = { keyId: null, docUid: null, since: null, until: null, limit: 100 };

let cutter: CommitCutter;
let direct: Engine;
let address: URL;
before(async () => {
  const { folder, createMigratedDatabase } = await postgresServer();
  address = new URL(await createMigratedDatabase());
  direct = openPostgres(address.href, systemPlatform);
  const place = (port: number) => join(folder, `.s.PGSQL.${port}`);
  cutter = await startCommitCutter(place(5432), place(7432));
  address.searchParams.set('port', '7432');
});
after(async () => {
  await direct.close();
  cutter.close();
});

const trailOf = (tenant: ReturnType<typeof newEdb>) =>
  createStorage(direct, systemRandom).audit.read({ ...ANY, tenant });

test('a batch of entries whose commit is carried out but not confirmed is on record once', async () => {
  const engine = openPostgres(address.href, systemPlatform);
  const tenant = newEdb();
  const failures: unknown[] = [];
  const buffer = createAuditBuffer(createStorage(engine, systemRandom), {
    timers: systemTimers,
    onFailure: (error) => failures.push(error),
    onUnwritten: () => assert.fail('not written'),
  });
  cutter.cutNext(ENTRY);
  for (let index = 0; index < 5; index += 1) buffer.record(newAuditEntry({ tenant, requestId: `lost-${index}` }));
  await buffer.close();
  await engine.close();
  assert.deepEqual([cutter.cuts(), failures.length], [1, 1]);
  const written = await trailOf(tenant);
  assert.deepEqual(
    written.map(({ requestId }) => requestId).toSorted(),
    [0, 1, 2, 3, 4].map((index) => `lost-${index}`),
  );
});

test('says of a commit that was carried out but not confirmed that nobody knows', async () => {
  const engine = openPostgres(address.href, systemPlatform);
  const tenant = newEdb();
  cutter.cutNext(ENTRY);
  const storage = createStorage(engine, systemRandom);
  const entry = newAuditEntry({ tenant, requestId: 'cut' });
  await assert.rejects(
    storage.transaction((tx) => tx.audit.append([entry])),
    CommitUnknown,
  );
  await engine.close();
  assert.equal((await trailOf(tenant)).length, 1);
});

test('a submission whose commit is carried out but not confirmed has one entry, that of the change', async (t) => {
  const service = await startTestService({
    database: { DATABASE_URL: address.href, DATA_DIR: folder },
  });
  t.after(() => service.stop());
  const tenant = await newTenant(service);
  const { get, submit, keyId } = await tenant.withKey();
  const before = cutter.cuts();
  const invoice = freshInvoice();
  cutter.cutNext(ENTRY);
  const lost = await submit(invoice, 'k');
  assert.deepEqual([lost.status, cutter.cuts() - before], [500, 1]);
  const repeated = await submit(invoice, 'k');
  assert.equal(repeated.status, 200);
  await get('/ping');
  const calls = await until('the last call on record', async () => {
    const found = (await trailOf(tenant.edb)).filter((entry) => entry.keyId === keyId);
    return found.some(({ path }) => path.endsWith('/ping')) ? found : null;
  });
  const submissions = calls.filter(({ method }) => method === 'POST').map(({ httpStatus, code }) => [httpStatus, code]);
  assert.deepEqual(submissions.toSorted(), [
    [200, null],
    [201, null],
  ]);
});

test('of submissions that share a commit which is not confirmed each caller is told that nobody knows', async () => {
  const engine = openPostgres(address.href, systemPlatform);
  const storage = createStorage(engine, systemRandom);
  const tenant = newEdb();
  const submissions = [1, 2, 3, 4, 5].map((number) =>
    newSubmission(tenant, {
      auditEntry: newAuditEntry({ tenant, requestId: `shared-${tenant}-${number}` }),
    }),
  );
  // The first is alone; the others wait for it, and are a group.
  cutter.cutNext(`shared-${tenant}-3`);
  const before = cutter.cuts();
  const [first, ...others] = await Promise.allSettled(submissions.map((one) => storage.storeSubmission(one)));
  assert.equal(first?.status, 'fulfilled');
  assert.ok(others.every((one) => one.status === 'rejected' && one.reason instanceof CommitUnknown));
  assert.equal(cutter.cuts() - before, 1);
  assert.equal((await trailOf(tenant)).length, 5);
  const repeated = await Promise.all(submissions.map((one) => storage.storeSubmission(one)));
  assert.deepEqual(repeated, [null, null, null, null, null]);
  await engine.close();
});

test('every call that changes something and whose commit is not confirmed has one entry, sealed or not', async (t) => {
  const service = await startTestService({
    database: { DATABASE_URL: address.href, DATA_DIR: folder },
  });
  t.after(() => service.stop());
  const tenant = await newTenant(service);
  const { get, post, submitted, keyId } = await tenant.withKey();
  const docUid = await submitted();
  const { storage } = service.foundation;
  const inbound = await storage.transaction((tx) => tx.inbound.add(tenant.edb, newInbound(), MORNING));
  const seal = sealAuditTrail({
    storage: createStorage(direct, systemRandom),
    hasher: systemHasher,
    clock: systemClock,
  });
  for (const path of [`/outbound/${docUid}/cancel`, `/inbound/${inbound.stored.docUid}/ack`]) {
    // By its path: the entry of the call before may be written at the same time.
    cutter.cutNext(path);
    const before = cutter.cuts();
    assert.deepEqual([(await post(path)).status, cutter.cuts() - before], [500, 1]);
    await seal.sealNow();
  }
  await get('/ping');
  const calls = await until('the last call on record', async () => {
    const found = (await trailOf(tenant.edb)).filter((entry) => entry.keyId === keyId);
    return found.some(({ path }) => path.endsWith('/ping')) ? found : null;
  });
  const changes = calls
    .filter(({ method }) => method === 'POST')
    .map(({ path, httpStatus }) => [path.split('/').at(-1), httpStatus]);
  assert.deepEqual(changes.toSorted(), [
    ['ack', 200],
    ['cancel', 200],
    ['outbound', 201],
  ]);
});
