import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemRandom } from '../../../../src/adapters/platform/platform.ts';
import { createStorage } from '../../../../src/adapters/sql/storage.ts';
import type { Storage } from '../../../../src/application/ports/storage/storage.ts';
import { addOutboundIn, MORNING, newEdb, newOutbound, record } from '../../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/engines.ts';
import { assertNothingIsScanned, logStatements } from './statement-log.ts';

/** A search by the tenant alone walks all of its documents, of which there may be millions. */
const WALKS_A_TENANT = /^SEARCH (?:outbound|inbound)\b.*\(tenant=\?\)$/u;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('no step of a delivery walks over the tenant’s documents', async () => {
  const { engine, take } = logStatements(database.engine);
  const storage: Storage = createStorage(engine, systemRandom);
  const tenant = newEdb();
  const euid = '019b8d43-7840-7433-b358-08891b53605c';
  const lease = { token: 'token', until: MORNING + 60_000 };
  const { docUid } = await storage.transaction((tx) =>
    addOutboundIn(tx, tenant, 10, newOutbound({ holdMs: 0 }), MORNING),
  );
  take();
  for (const stage of ['delivery', 'container'] as const) {
    await storage.deliveries.tenantsDue(stage, '', MORNING, 64);
    await storage.transaction((tx) => tx.deliveries.claim(tenant, stage, lease, MORNING, 4));
  }
  await storage.transaction(async (tx) => {
    await tx.deliveries.findDuplicate(tenant, { docUid, kind: 'Invoice', documentNumber: '7001' });
    await tx.deliveries.findAccepted(tenant, [{ number: '7001', date: null }]);
    await tx.outbound.move(tenant, docUid, 10, ['prepare', 'send'], record(MORNING));
    await tx.deliveries.beginAttempt(tenant, docUid, 'send', MORNING);
    await tx.deliveries.renew(tenant, docUid, lease);
    await tx.deliveries.release(tenant, docUid, 'token', { dueAt: MORNING });
    await tx.deliveries.retryNow(tenant, 'CREDENTIALS', MORNING);
    const change = { euid, status: { code: '05', name: 'x' }, from: null, at: null, reason: null };
    await tx.deliveries.recordAuthorityStatus(tenant, change, MORNING);
    await tx.inbound.known(tenant, [`euid:${euid}`]);
    await tx.recurringTasks.claim(lease, MORNING, 4, { maxPerName: 1, running: [{ user: 'busy', name: 'collect' }] });
  });
  const statements = take();
  assert.ok(statements.length > 12);
  for (const statement of statements) {
    await assertNothingIsScanned(database.engine, statement);
    const plan = await database.engine.all<{ detail: string }>(
      `explain query plan ${statement.text}`,
      statement.parameters,
    );
    for (const { detail } of plan) assert.doesNotMatch(detail, WALKS_A_TENANT, statement.text);
  }
});
