import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemRandom } from '../../../../src/adapters/platform/platform.ts';
import { createStorage } from '../../../../src/adapters/sql/storage.ts';
import { fileOf, MORNING, newEdb, newOutbound } from '../../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/engines.ts';
import { assertNothingIsScanned, logStatements } from './statement-log.ts';

const MANY = 2_000;

describe('the change feed and inquiries at scale', () => {
  const tenant = newEdb();
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
    await database.storage.transaction(async ({ outbound }) => {
      for (let index = 0; index < MANY; index += 1) await outbound.add(tenant, newOutbound(), MORNING + index);
    });
  });
  after(() => database.close());

  test('reading on from anywhere, the last numbers of all who wait, and each inquiry are found by an index', async () => {
    const { engine, take } = logStatements(database.engine);
    const { changes, outboundInquiries } = createStorage(engine, systemRandom);
    assert.equal((await changes.read(tenant, MANY - 4, 200)).length, 5);
    await changes.lastNumbers([tenant, newEdb()]);
    const { sha256 } = fileOf('<Invoice/>');
    await outboundInquiries.find(tenant, { by: 'documentNumber', value: '2026-7' }, 20);
    await outboundInquiries.find(tenant, { by: 'sha256', value: sha256 }, 20);
    await outboundInquiries.find(tenant, { by: 'euid', value: 'E' }, 20);
    const statements = take();
    assert.equal(statements.length, 5);
    for (const statement of statements) await assertNothingIsScanned(database.engine, statement);
  });
});
