import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readOutbound } from '../../../src/application/outbound/read-outbound.ts';
import { addOutboundIn, fileOf, MORNING, newEdb, newOutbound } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test("the authority's file that arrives while it is asked for is given, not denied", async () => {
  const { storage } = database;
  const tenant = newEdb();
  const { docUid } = await storage.transaction((tx) => addOutboundIn(tx, tenant, 40, newOutbound(), MORNING));
  const container = fileOf('PK');
  const read = readOutbound({
    outbound: storage.outbound,
    // With its container a document has its last step behind it: from then on nothing is due.
    deliveries: {
      async dueAt(...document) {
        await storage.transaction((tx) => tx.deliveries.storeContainer(tenant, docUid, container, MORNING));
        return storage.deliveries.dueAt(...document);
      },
    },
    archived: async () => null,
    clock: clockAt(MORNING),
  });
  const { bytes } = await read.file(tenant, docUid, 'ujp');
  assert.deepEqual(Buffer.from(bytes), Buffer.from(container.bytes));
});
