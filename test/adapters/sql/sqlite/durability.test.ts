import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../../../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { migrate } from '../../../../src/adapters/sql/migrate.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { createStorage } from '../../../../src/adapters/sql/storage.ts';
import type { DocUid } from '../../../../src/domain/documents/doc-uid.ts';
import { assertListIsTrue } from '../../../engines/recount.ts';
import { ANY_OUTBOUND, edb } from '../../../engines/samples.ts';
import { startChild } from '../../../support/child-program.ts';
import { docUidOf } from '../../../support/doc-uid.ts';
import { temporaryFile } from '../temporary-file.ts';

const ROUNDS = 6;
const TENANT = edb('4030026000018');

test('whatever a process acknowledged before it was killed is there, whole, and counted', async (context) => {
  const path = temporaryFile(context);
  const acknowledged = new Map<DocUid, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const child = startChild(new URL('./insert-until-killed.ts', import.meta.url), path, TENANT);
    // The kill falls anywhere: the child goes on while its lines travel here.
    await child.printed(1 + Math.floor(Math.random() * 300));
    child.process.kill('SIGKILL');
    await child.ended;
    assert.equal(child.process.signalCode, 'SIGKILL');
    for (const line of child.lines) {
      const [docUid = '', status = ''] = line.split(' ');
      acknowledged.set(docUidOf(docUid), Number(status));
    }
  }
  assert.ok(acknowledged.size > ROUNDS);
  const engine = openSqlite(path, systemTimers);
  context.after(() => engine.close());
  await migrate(engine, systemTimers, Date.now());
  const { outbound, audit } = createStorage(engine, systemRandom);
  for (const [docUid, status] of acknowledged) {
    assert.equal((await outbound.find(TENANT, docUid))?.status, status);
    assert.equal((await outbound.history(TENANT, docUid)).length, status === 60 ? 2 : 1);
    assert.notEqual(await outbound.file(TENANT, docUid, 'ubl'), null);
  }
  assert.deepEqual(await engine.all('pragma integrity_check', []), [{ __proto__: null, integrity_check: 'ok' }]);
  assert.deepEqual(await engine.all('pragma foreign_key_check', []), []);
  await assertListIsTrue(engine, TENANT, 'outbound');
  // What was stored but not acknowledged in time may be there as well, but then it is there whole.
  const { totalCount } = await outbound.list(TENANT, ANY_OUTBOUND, { page: 1, pageSize: 1 });
  const filter = { tenant: TENANT, keyId: null, docUid: null, since: null, until: null, limit: 1_000_000 };
  assert.equal((await audit.read(filter)).length, totalCount);
  assert.ok(totalCount >= acknowledged.size);
});
