import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { settleFound } from '../../../src/application/recovery/settle-found.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';

const EUID = '019a8d3c-0000-7000-8000-000000000001';
const FOLLOWED_TO = '2026-11-16';

describe('a document that is found in the register', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.close());

  const cases = [
    ['the status 01', { code: '01' }, FOLLOWED_TO],
    ['the status 05', { code: '05' }, '2026-11-09'],
    ['the status 07', { code: '07' }, '2026-11-09'],
    ['a status that was not read', { code: '01', isStatusUnread: true }, '2026-11-09'],
  ] as const;
  for (const [name, { code, ...unread }, expected] of cases) {
    test(`with ${name} has its later statuses followed from ${expected} on`, async () => {
      const { storage, engine } = database;
      const { edb } = newTenant();
      const { docUid } = await storage.transaction((tx) => addOutboundIn(tx, edb, 30, newOutbound(), MORNING));
      await storage.transaction((tx) => tx.recurringTasks.schedule(edb, ['follow'], MORNING));
      await engine.transaction((sql) =>
        sql.run('update recurring_task set note = $2 where tenant = $1', [edb, FOLLOWED_TO]),
      );
      const registration = {
        euid: EUID,
        qrLink: null,
        // In Skopje that day has begun.
        registeredAt: '2026-11-08T23:30:00Z',
        status: { code, name: null },
        message: null,
        answer: null,
        ...unread,
      };
      assert.equal(await settleFound(storage, edb, docUid, registration, MORNING), 'accepted');
      const { note } =
        (await engine.get<{ note: string }>('select note from recurring_task where tenant = $1', [edb])) ?? {};
      assert.equal(note, expected);
    });
  }

  for (const [name, euid, outcome] of [
    ['meanwhile with the same EUID is known', EUID.toUpperCase(), null],
    ['with another EUID has a stray registration', '019a8d3c-0000-7000-8000-000000000002', 'stray'],
  ] as const) {
    test(`and was accepted ${name}`, async () => {
      const { storage } = database;
      const { edb } = newTenant();
      const status = { statusCode: '01', statusName: null };
      const ujp = { accepted: true, euid, qrLink: null, registeredAt: null, ...status, message: null, errors: [] };
      const { docUid } = await storage.transaction((tx) => addOutboundIn(tx, edb, 40, newOutbound(), MORNING, { ujp }));
      const found = { euid: EUID, qrLink: null, registeredAt: null, message: null, answer: null };
      const registration = { ...found, status: { code: '01', name: null } };
      assert.equal(await settleFound(storage, edb, docUid, registration, MORNING), outcome);
      assert.equal((await storage.strayRegistrations.list(edb, docUid)).length, outcome === null ? 0 : 1);
    });
  }
});
