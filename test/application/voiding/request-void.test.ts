import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { manageTenants } from '../../../src/application/accounts/manage-tenants.ts';
import { recordMistaken } from '../../../src/application/delivery/settlement/mistaken-owner.ts';
import { OperatorError } from '../../../src/application/errors/operator-error.ts';
import { requestVoid } from '../../../src/application/voiding/request-void.ts';
import { NEW_STATUS } from '../../../src/domain/documents/authority-status.ts';
import type { CodeListEntry } from '../../../src/domain/values/code-list.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant, recordTest } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

const REASON: CodeListEntry = {
  code: 'S-1',
  name: 'Wrong buyer',
  active: true,
  validFrom: null,
  validTo: null,
  details: {},
};
const REGISTERED = {
  accepted: true,
  qrLink: null,
  euid: '0'.repeat(36),
  registeredAt: null,
  statusCode: NEW_STATUS,
  statusName: null,
  message: null,
  errors: [],
};

test('a document that was registered before the environment was changed is not voided in the other one', async () => {
  const { storage } = database;
  const [clock, tenant] = [clockAt(), newTenant()];
  const tenants = manageTenants({ storage, clock, record: recordTest });
  await tenants.add(tenant);
  const add = (at: number) =>
    storage.transaction((tx) => addOutboundIn(tx, tenant.edb, 40, newOutbound(), at, { ujp: REGISTERED }));
  const former = await add(MORNING - 1_000);
  await tenants.set(tenant.edb, { environment: 'production' });
  const present = await add(MORNING + 1_000);
  const { request } = requestVoid({ storage, readList: async () => [REASON], clock, record: recordTest });
  await assert.rejects(
    request(tenant.edb, former.docUid, REASON.code, null),
    (error) => error instanceof OperatorError && /before the taxpayer's environment was changed/u.test(error.message),
  );
  assert.equal(await storage.voids.find(tenant.edb, former.docUid), null);
  assert.equal((await request(tenant.edb, present.docUid, REASON.code, null)).state, 'requested');
});

test('a document that has the EUID of another one is not voided: the void would be that of the other', async () => {
  const { storage } = database;
  const [clock, tenant] = [clockAt(), newTenant()];
  await manageTenants({ storage, clock, record: recordTest }).add(tenant);
  const [mistaken, other] = await storage.transaction(async (tx) => {
    const add = () => addOutboundIn(tx, tenant.edb, 40, newOutbound(), MORNING, { ujp: REGISTERED });
    const docUids = [(await add()).docUid, (await add()).docUid] as const;
    const found = { registration: { ...REGISTERED, status: { code: '01', name: null }, answer: null } };
    const lookUp = { ...found, act: 'look-up', recordedAt: MORNING, docUid: docUids[1] } as const;
    await recordMistaken(tx, tenant.edb, { docUid: docUids[0], isVoid: false }, lookUp);
    return docUids;
  });
  const { request } = requestVoid({ storage, readList: async () => [REASON], clock, record: recordTest });
  await assert.rejects(
    request(tenant.edb, mistaken, REASON.code, null),
    (error) => error instanceof OperatorError && /has the EUID of another one/u.test(error.message),
  );
  assert.equal(await storage.voids.find(tenant.edb, mistaken), null);
  assert.equal((await request(tenant.edb, other, REASON.code, null)).state, 'requested');
});
