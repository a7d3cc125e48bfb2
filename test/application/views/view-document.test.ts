import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createHeldFiles } from '../../../src/application/files/held-files.ts';
import { readInbound } from '../../../src/application/inbound/read-inbound.ts';
import { readOutbound } from '../../../src/application/outbound/read-outbound.ts';
import { viewDocument } from '../../../src/application/views/view-document.ts';
import { addOutboundIn, MORNING, newInbound, newOutbound, newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

const EUID = '019b8d43-7840-7433-b358-08891b53605c';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('a document is of the environment that it came in, also when its tenant has gone to the other one', async () => {
  const { storage } = database;
  const tenant = newTenant({ environment: 'test' });
  const archived = async () => null;
  const view = viewDocument({
    readOutbound: readOutbound({ ...storage, archived, clock: clockAt() }),
    readInbound: readInbound({ ...storage, archived }),
    reader: { view: async () => ({ view: null, code: null }) },
    held: createHeldFiles(),
    registerLinkOf: (environment, euid) => `https://${environment}.example/${euid}`,
    formerEnvironment: storage.tenants.formerEnvironment,
  });
  const arrival = { ...newInbound(), fileName: `${EUID}.json`, authorityStatus: { code: '01', name: null } };
  const documents = await storage.transaction(async (tx) => {
    await tx.tenants.add(tenant, MORNING);
    const outbound = await addOutboundIn(tx, tenant.edb, 40, newOutbound(), MORNING);
    const { stored: inbound } = await tx.inbound.add(tenant.edb, arrival, MORNING);
    return { outbound: outbound.docUid, inbound: inbound.docUid };
  });
  const moved = { ...tenant, environment: 'production' as const };
  await storage.transaction((tx) => tx.tenants.update(moved));
  assert.equal((await view(moved, 'outbound', documents.outbound)).environment, 'test');
  const { environment, registerLink } = await view(moved, 'inbound', documents.inbound);
  assert.deepEqual([environment, registerLink], ['test', `https://test.example/${EUID}`]);
  const later = await storage.transaction((tx) => addOutboundIn(tx, tenant.edb, 40, newOutbound(), MORNING));
  assert.equal((await view(moved, 'outbound', later.docUid)).environment, 'production');
});
