import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { onEveryEngine } from '../support/engines.ts';
import { addOutboundIn, fileOf, MORNING, newEdb, newOutbound } from './samples.ts';

const MIGRATION = 7;
const ANSWER = { accepted: true, qrLink: null, registeredAt: null, statusCode: '01', statusName: null, message: null };

onEveryEngine('a database of the version before migration 7', (database) => {
  test('has its containers that were given up on asked for again, and nothing else', async () => {
    const tenant = newEdb();
    const { engine, storage } = database();
    const ujp = (euid: string) => ({ ujp: { ...ANSWER, euid, errors: [] } });
    const [missing, fetched, archived, rejected] = await storage.transaction(async (tx) => {
      const add = async (status: 40 | 50, changes = {}) =>
        (await addOutboundIn(tx, tenant, status, newOutbound(), MORNING, changes)).docUid;
      const added = [await add(40, ujp('one')), await add(40, ujp('two')), await add(40, ujp('three')), await add(50)];
      await tx.deliveries.storeContainer(tenant, added[1] ?? assert.fail(), fileOf('PK'), MORNING);
      await tx.archive.markArchived(tenant, 'outbound', added[2] ?? assert.fail(), MORNING);
      return added;
    });
    await engine.transaction(async (sql) => {
      await sql.run('update outbound set failures = 12 where tenant = $1', [tenant]);
      await sql.run('delete from schema_migration where version = $1', [MIGRATION]);
      await engine.script(sql, 'drop table store_environment');
    });
    assert.deepEqual(
      (await migrate(engine, systemTimers, MORNING)).map(({ version }) => version),
      [MIGRATION],
    );
    const dueAt = (docUid: DocUid | undefined) => storage.deliveries.dueAt(tenant, docUid ?? assert.fail());
    assert.deepEqual(
      [await dueAt(missing), await dueAt(fetched), await dueAt(archived), await dueAt(rejected)],
      [MORNING, null, null, null],
    );
    const lease = { token: 'new', until: MORNING + 1 };
    const claimed = await storage.transaction((tx) => tx.deliveries.claim(tenant, 'container', lease, MORNING, 10));
    assert.deepEqual(
      claimed.map(({ docUid, euid, failures }) => [docUid, euid, failures]),
      [[missing, 'one', 0]],
    );
  });
});
