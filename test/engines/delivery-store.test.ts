import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredPayload } from '../../src/application/ports/storage/delivery-store.ts';
import type { NewOutbound } from '../../src/application/ports/storage/outbound-store.ts';
import type { RecurringTaskName } from '../../src/application/ports/storage/recurring-task-store.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { WaitingRequests } from '../../src/domain/accounts/request-line.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import type { AuthorityAnswer } from '../../src/domain/documents/outbound-document.ts';
import type { OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import { onEveryEngine } from '../support/engines.ts';
import { addOutboundIn, fileOf, MORNING, newEdb, newOutbound, newTenant, plain, record } from './samples.ts';

const PAYLOAD: StoredPayload = {
  docTypeCode: '100',
  docNumber: '2026-1',
  docDate: '2026-11-16',
  docId: 'ABCDEFGHJKMNPQRSTVWX',
  text: '{"document":{"header":{}}}',
  warnings: [{ code: 'LINE-LEFT-OUT', text: 'Something was left out.', path: '/Invoice' }],
  requestTimestamp: '2026-11-16T09:00:00',
  sentAt: MORNING,
};

const ACCEPTED: AuthorityAnswer = {
  accepted: true,
  euid: '019b8d43-7840-7433-b358-08891b53605c',
  qrLink: null,
  registeredAt: null,
  statusCode: '01',
  statusName: 'Испратена (Нова)',
  message: 'registered',
  errors: [],
};

const MINUTE = 60_000;

onEveryEngine('delivery', (database) => {
  const add = (tenant: Edb, changes: Partial<NewOutbound> = {}, status: OutboundStatus = 10, ujp?: AuthorityAnswer) =>
    database().storage.transaction((tx) =>
      addOutboundIn(
        tx,
        tenant,
        status,
        newOutbound({ holdMs: 0, ...changes }),
        MORNING,
        ujp === undefined ? {} : { ujp },
      ),
    );
  const numbered = (documentNumber: string, kind: 'Invoice' | 'CreditNote' = 'Invoice') => {
    const sample = newOutbound();
    return { facts: { ...sample.facts, documentNumber, kind } };
  };
  const claim = (tenant: Edb, token: string, now: number, limit = 10) =>
    database().storage.transaction((tx) =>
      tx.deliveries.claim(tenant, 'delivery', { token, until: now + MINUTE }, now, limit),
    );
  const uids = (documents: readonly { readonly docUid: string }[]) => documents.map(({ docUid }) => docUid).sort();

  test('a document is due when its hold is over, not before', async () => {
    const tenant = newEdb();
    const { docUid } = await add(tenant, { holdMs: 20_000 });
    assert.deepEqual(await claim(tenant, 'a', MORNING + 19_999), []);
    assert.deepEqual(uids(await claim(tenant, 'a', MORNING + 20_000)), [docUid]);
  });

  test('a claimed document is nobody else’s until the lease is over', async () => {
    const tenant = newEdb();
    const { docUid } = await add(tenant);
    assert.deepEqual(uids(await claim(tenant, 'first', MORNING)), [docUid]);
    assert.deepEqual(await claim(tenant, 'second', MORNING + MINUTE - 1), []);
    assert.deepEqual(uids(await claim(tenant, 'second', MORNING + MINUTE)), [docUid]);
  });

  test('a worker whose lease went to another one moves, renews and releases nothing', async () => {
    const tenant = newEdb();
    const { docUid } = await add(tenant);
    await claim(tenant, 'old', MORNING);
    await claim(tenant, 'new', MORNING + MINUTE);
    await database().storage.transaction(async ({ outbound, deliveries }) => {
      const late = record(MORNING, { lease: { token: 'old' } });
      assert.equal(await outbound.move(tenant, docUid, 10, 'prepare', late), false);
      assert.equal(await deliveries.renew(tenant, docUid, { token: 'old', until: MORNING + 9 * MINUTE }), false);
      assert.equal(await deliveries.release(tenant, docUid, 'old', { dueAt: null }), false);
      const inTime = record(MORNING, { lease: { token: 'new', leaseUntil: MORNING + 3 * MINUTE } });
      assert.equal(await outbound.move(tenant, docUid, 10, 'prepare', inTime), true);
      assert.equal(await deliveries.renew(tenant, docUid, { token: 'new', until: MORNING + 4 * MINUTE }), true);
    });
    assert.equal(await database().storage.deliveries.dueAt(tenant, docUid), MORNING + 4 * MINUTE);
  });

  test('two workers that claim at the same moment never have the same document', async () => {
    const tenant = newEdb();
    for (let count = 0; count < 30; count += 1) await add(tenant);
    const other = await database().openAgain();
    const both = [database().storage, other.storage].flatMap((storage, worker) =>
      [0, 1, 2, 3].map((turn) =>
        storage.transaction((tx) =>
          tx.deliveries.claim(tenant, 'delivery', { token: `${worker}-${turn}`, until: MORNING + MINUTE }, MORNING, 4),
        ),
      ),
    );
    const claimed = uids((await Promise.all(both)).flat());
    assert.equal(new Set(claimed).size, claimed.length);
    assert.ok(claimed.length >= 4);
  });

  test('cancelling takes a claimed document away from its worker', async () => {
    const tenant = newEdb();
    const { docUid } = await add(tenant);
    await claim(tenant, 'worker', MORNING);
    await database().storage.transaction(async ({ outbound }) => {
      assert.equal(await outbound.move(tenant, docUid, 10, 'cancel', record(MORNING)), true);
      const late = record(MORNING, { lease: { token: 'worker' } });
      assert.equal(await outbound.move(tenant, docUid, 10, 'prepare', late), false);
    });
    assert.equal(await database().storage.deliveries.dueAt(tenant, docUid), null);
  });

  test('tenants with something due are found in their order, from any point on, whatever their queues hold', async () => {
    const tenants = [newEdb(), newEdb(), newEdb()];
    for (const tenant of tenants) for (let count = 0; count < 5; count += 1) await add(tenant, { holdMs: 3_600_000 });
    const [first = newEdb(), second = newEdb(), third = newEdb()] = tenants;
    const due = async (after: string, now: number, limit = 100) => {
      const found = await database().storage.deliveries.tenantsDue('delivery', after, now, limit);
      return { ...found, tenants: found.tenants.filter((tenant) => tenants.includes(tenant)) };
    };
    const later = MORNING + 3_600_000;
    assert.deepEqual((await due('', later - 1)).tenants, []);
    assert.deepEqual((await due('', later)).tenants, [first, second, third]);
    assert.deepEqual((await due(first, later)).tenants, [second, third]);
    assert.deepEqual(await due(first, later, 1), { tenants: [second], last: second });
    assert.deepEqual((await due(third, later)).last, null);
  });

  test('what is to be delivered and what is to be fetched for delivered documents are claimed apart', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const waiting = await add(tenant);
    const delivered = await add(tenant, {}, 30);
    const accept = record(MORNING, { ujp: ACCEPTED, dueAt: MORNING });
    await storage.transaction((tx) => tx.outbound.move(tenant, delivered.docUid, 30, 'accept', accept));
    for (const [stage, docUid] of [
      ['container', delivered.docUid],
      ['delivery', waiting.docUid],
    ] as const) {
      const { tenants } = await storage.deliveries.tenantsDue(stage, '', MORNING, 1_000);
      assert.ok(tenants.includes(tenant));
      const lease = { token: stage, until: MORNING + MINUTE };
      const claimed = await storage.transaction((tx) => tx.deliveries.claim(tenant, stage, lease, MORNING, 10));
      assert.deepEqual(uids(claimed), [docUid]);
    }
  });

  test('several moves at one moment are one step for others and a history row each', async () => {
    const tenant = newEdb();
    const { docUid } = await add(tenant);
    const failure = { failureCode: 'AUTHORITY-ERROR', failureMessage: 'why' };
    const { storage } = database();
    await storage.transaction((tx) =>
      tx.outbound.move(tenant, docUid, 10, ['prepare', 'send', 'try-again'], record(MORNING, failure)),
    );
    const history = await storage.outbound.history(tenant, docUid);
    assert.deepEqual(
      history.map(({ status, failureCode }) => [status, failureCode]),
      [
        [10, null],
        [20, null],
        [30, null],
        [20, 'AUTHORITY-ERROR'],
      ],
    );
    const wrong = storage.transaction((tx) =>
      tx.outbound.move(tenant, docUid, 20, ['send', 'prepare'], record(MORNING)),
    );
    await assert.rejects(wrong, /status 30 cannot prepare/u);
  });

  test('what is sent is kept until the container takes its place, and is never served as the container', async () => {
    const tenant = newEdb();
    const { docUid } = await add(tenant, {}, 30);
    const { storage } = database();
    await storage.transaction((tx) => tx.deliveries.savePayload(tenant, docUid, PAYLOAD));
    assert.deepEqual(await storage.deliveries.payload(tenant, docUid), PAYLOAD);
    assert.equal(await storage.outbound.file(tenant, docUid, 'ujp'), null);
    await storage.transaction((tx) =>
      tx.outbound.move(tenant, docUid, 30, 'accept', record(MORNING, { ujp: ACCEPTED })),
    );
    assert.equal(await storage.outbound.file(tenant, docUid, 'ujp'), null);
    const container = fileOf('PK container');
    for (const file of [container, fileOf('PK another')]) {
      await storage.transaction((tx) => tx.deliveries.storeContainer(tenant, docUid, file, MORNING));
      const served = await storage.outbound.file(tenant, docUid, 'ujp');
      assert.deepEqual(plain(served?.bytes ?? new Uint8Array()), container.bytes);
    }
    assert.equal(await storage.deliveries.payload(tenant, docUid), null);
  });

  test('warnings stay with the document when the container or the archive takes the place of what is sent', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const warningsOf = async (docUid: DocUid) => (await storage.outbound.find(tenant, docUid))?.warnings;
    const ways: readonly ((tx: Storage, docUid: DocUid) => Promise<void>)[] = [
      (tx, docUid) => tx.deliveries.storeContainer(tenant, docUid, fileOf('PK container'), MORNING),
      (tx, docUid) => tx.archive.markArchived(tenant, 'outbound', docUid, MORNING),
    ];
    for (const way of ways) {
      const { docUid } = await add(tenant, {}, 30);
      assert.deepEqual(await warningsOf(docUid), []);
      await storage.transaction((tx) => tx.deliveries.savePayload(tenant, docUid, PAYLOAD));
      assert.deepEqual(await warningsOf(docUid), PAYLOAD.warnings);
      await storage.transaction((tx) => way(tx, docUid));
      assert.equal(await storage.deliveries.payload(tenant, docUid), null);
      assert.deepEqual(await warningsOf(docUid), PAYLOAD.warnings);
    }
  });

  test('warnings are those of the last conversion: a document that is queued again has none until then', async () => {
    const tenant = newEdb();
    const { docUid } = await add(tenant, {}, 30);
    const { storage } = database();
    await storage.transaction((tx) => tx.deliveries.savePayload(tenant, docUid, PAYLOAD));
    await storage.transaction((tx) => tx.deliveries.dropPayload(tenant, docUid));
    assert.deepEqual((await storage.outbound.find(tenant, docUid))?.warnings, []);
  });

  test('warnings of a conversion that failed are kept until the document is queued again', async () => {
    const tenant = newEdb();
    const { docUid } = await add(tenant, {}, 55);
    const { storage } = database();
    const warningsOf = async () => (await storage.outbound.find(tenant, docUid))?.warnings;
    await storage.transaction((tx) => tx.deliveries.saveWarnings(tenant, docUid, PAYLOAD.warnings));
    assert.deepEqual(await warningsOf(), PAYLOAD.warnings);
    await storage.transaction((tx) => tx.deliveries.saveWarnings(tenant, docUid, []));
    assert.deepEqual(await warningsOf(), []);
    await storage.transaction((tx) => tx.deliveries.saveWarnings(tenant, docUid, PAYLOAD.warnings));
    await storage.transaction((tx) => tx.deliveries.dropPayload(tenant, docUid));
    assert.deepEqual(await warningsOf(), []);
  });

  test('a warning of an earlier version, which was a sentence, has a code of its own', async () => {
    const tenant = newEdb();
    const { docUid } = await add(tenant, {}, 30);
    const { storage, engine } = database();
    await storage.transaction((tx) => tx.deliveries.savePayload(tenant, docUid, PAYLOAD));
    const sentences = JSON.stringify(['Something was left out.']);
    await engine.transaction((sql) =>
      sql.run('update outbound_payload set warnings = $1 where tenant = $2', [sentences, tenant]),
    );
    const found = await storage.outbound.find(tenant, docUid);
    assert.deepEqual(found?.warnings, [{ code: 'OTHER', text: 'Something was left out.', path: null }]);
  });

  test('attempts are numbered, open until they end, and told in their order', async () => {
    const tenant = newEdb();
    const { docUid } = await add(tenant, {}, 30);
    const { storage } = database();
    const end = { endedAt: MORNING + 5, outcome: 'failed', failureCode: 'X', message: 'why', answer: '{}' } as const;
    await storage.transaction(async ({ deliveries }) => {
      assert.equal(await deliveries.beginAttempt(tenant, docUid, 'send', MORNING), 1);
      assert.equal(await deliveries.beginAttempt(tenant, docUid, 'look-up', MORNING + 6), 2);
      await deliveries.endAttempt(tenant, docUid, 1, end);
    });
    const open = { endedAt: null, outcome: null, failureCode: null, message: null, answer: null };
    assert.deepEqual(await storage.deliveries.attempts(tenant, docUid), [
      { act: 'send', startedAt: MORNING, ...end },
      { act: 'look-up', startedAt: MORNING + 6, ...open },
    ]);
  });

  for (const [status, isRival] of [
    [10, true],
    [20, true],
    [30, true],
    [40, true],
    [50, false],
    [55, false],
    [60, false],
  ] as const) {
    test(`an earlier document of the same kind and number in status ${status} is ${isRival ? 'a' : 'no'} rival`, async () => {
      const tenant = newEdb();
      const earlier = await add(tenant, numbered('7001'), status);
      const { docUid } = await add(tenant, numbered('7001'));
      const find = async (kind: 'Invoice' | 'CreditNote', documentNumber: string | null) =>
        (await database().storage.deliveries.findDuplicate(tenant, { docUid, kind, documentNumber }))?.docUid ?? null;
      assert.equal(await find('Invoice', '7001'), isRival ? earlier.docUid : null);
      assert.equal(await find('CreditNote', '7001'), null);
      assert.equal(await find('Invoice', '7002'), null);
      assert.equal(await find('Invoice', null), null);
    });
  }

  test('a later document is a rival only once it is under way', async () => {
    const tenant = newEdb();
    const { docUid } = await add(tenant, numbered('7001'));
    const later = await add(tenant, numbered('7001'));
    const find = () =>
      database().storage.deliveries.findDuplicate(tenant, { docUid, kind: 'Invoice', documentNumber: '7001' });
    assert.equal(await find(), null);
    await database().storage.transaction((tx) =>
      tx.outbound.move(tenant, later.docUid, 10, 'prepare', record(MORNING)),
    );
    assert.deepEqual(await find(), { docUid: later.docUid, isVoided: false });
  });

  test('numbers longer than the index are told apart', async () => {
    const tenant = newEdb();
    const long = 'N'.repeat(5_000);
    await add(tenant, numbered(`${long}1`), 40);
    const { docUid } = await add(tenant, numbered(`${long}2`));
    const find = (documentNumber: string) =>
      database().storage.deliveries.findDuplicate(tenant, { docUid, kind: 'Invoice', documentNumber });
    assert.equal(await find(`${long}2`), null);
    assert.notEqual(await find(`${long}1`), null);
  });

  test('an accepted document is found by its number and date, an invoice before a credit note, never another tenant’s', async () => {
    const tenant = newEdb();
    const euid = (last: string) => `019b8d43-7840-7433-b358-08891b53605${last}`;
    await add(tenant, numbered('7001', 'CreditNote'), 40, { ...ACCEPTED, euid: euid('1') });
    await add(tenant, numbered('7001'), 40, { ...ACCEPTED, euid: euid('2') });
    await add(tenant, numbered('7002'), 50);
    const find = async (number: string, date: string | null, of = tenant) =>
      (await database().storage.deliveries.findAccepted(of, [{ number, date }]))[0];
    assert.deepEqual(await find('7001', null), { euid: euid('2'), issueDate: '2026-11-16' });
    assert.deepEqual(await find('7001', '2026-11-16'), { euid: euid('2'), issueDate: '2026-11-16' });
    assert.equal(await find('7001', '2026-11-15'), null);
    assert.equal(await find('7002', null), null);
    assert.equal(await find('7001', null, newEdb()), null);
    const many = Array.from({ length: 300 }, (_, index) => ({ number: `${6_900 + index}`, date: null }));
    const found = await database().storage.deliveries.findAccepted(tenant, many);
    assert.deepEqual(
      found.map((one) => one?.euid ?? null),
      many.map(({ number }) => (number === '7001' ? euid('2') : null)),
      'each in the place of its reference',
    );
    assert.deepEqual(await database().storage.deliveries.findAccepted(tenant, []), []);
  });

  test('a later status of the authority goes into the answer, once, and leaves the document’s own status alone', async () => {
    const tenant = newEdb();
    const { docUid } = await add(tenant, {}, 40, ACCEPTED);
    const { storage } = database();
    const status = { code: '05', name: 'Одбиена' };
    const change = { euid: ACCEPTED.euid ?? '', status, from: null, at: MORNING + MINUTE, reason: 'wrong price' };
    const follow = (of: Edb) => storage.transaction((tx) => tx.deliveries.recordAuthorityStatus(of, change, MORNING));
    assert.deepEqual([await follow(newEdb()), await follow(tenant), await follow(tenant)], [false, true, false]);
    const document = await storage.outbound.find(tenant, docUid);
    assert.equal(document?.status, 40);
    const expected = { ...ACCEPTED, statusCode: '05', statusName: 'Одбиена', message: 'wrong price' };
    assert.deepEqual(document?.ujp, expected);
  });

  test('recurring tasks: scheduled once, claimed when due by one worker, rescheduled only by its holder, made due when idle', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const claimed = async (token: string, now: number) => {
      const lease = { token, until: now + MINUTE };
      const all = await storage.transaction((tx) =>
        tx.recurringTasks.claim(lease, now, 100, { maxPerName: 100, running: [] }),
      );
      return all
        .filter((task) => task.tenant === tenant)
        .map(({ name, checkpoint, failures, quietRuns }) => [name, checkpoint, failures, quietRuns]);
    };
    const reschedule = (token: string, dueAt: number) =>
      storage.transaction((tx) =>
        tx.recurringTasks.reschedule({ tenant, name: 'collect' }, token, {
          dueAt,
          checkpoint: '7',
          failures: 2,
          failure: 'why',
          quietRuns: 3,
        }),
      );
    for (const dueAt of [MORNING, MORNING + 9]) {
      await storage.transaction((tx) => tx.recurringTasks.schedule(tenant, ['collect'], dueAt));
    }
    assert.deepEqual(await claimed('a', MORNING - 1), []);
    assert.deepEqual(await claimed('a', MORNING), [['collect', null, 0, 0]]);
    assert.deepEqual(await claimed('b', MORNING), []);
    assert.equal(await reschedule('b', MORNING), false);
    await storage.transaction((tx) => tx.recurringTasks.runNow(tenant, 'collect', MORNING));
    assert.deepEqual(await claimed('b', MORNING), [], 'somebody is at it');
    assert.equal(await reschedule('a', MORNING + 5 * MINUTE), true);
    assert.deepEqual(await claimed('b', MORNING + MINUTE), []);
    await storage.transaction((tx) => tx.recurringTasks.runNow(tenant, 'collect', MORNING + MINUTE));
    assert.deepEqual(await claimed('b', MORNING + MINUTE), [['collect', '7', 2, 3]]);
  });

  test('recurring tasks: none is claimed beyond the share of its user, and full shares hide nothing', async () => {
    const { storage } = database();
    const now = MORNING - 9 * MINUTE;
    const shared = () => newTenant({ eujpId: 'shared' });
    const [first, second, third] = [shared(), shared(), shared()];
    const alone = newTenant({ eujpId: null });
    await storage.transaction(async (tx) => {
      for (const [index, settings] of [first, second, third, alone].entries()) {
        await tx.tenants.add(settings, now);
        await tx.recurringTasks.schedule(settings.edb, ['collect'], now - MINUTE + index);
      }
    });
    const claim = async (limit: number, users: readonly string[]) => {
      const share = { maxPerName: 2, running: users.map((name) => ({ user: name, name: 'collect' as const })) };
      const lease = { token: 'share', until: now + MINUTE };
      const tasks = await storage.transaction((tx) => tx.recurringTasks.claim(lease, now, limit, share));
      return tasks.map(({ tenant, user }) => [tenant, user]).toSorted();
    };
    const user = `${first.environment} shared`;
    assert.deepEqual(await claim(1, [user]), [[first.edb, user]]);
    assert.deepEqual(
      await claim(3, [user]),
      [
        [second.edb, user],
        [alone.edb, alone.edb],
      ].toSorted(),
    );
    assert.deepEqual(await claim(3, [user, user]), []);
    assert.deepEqual(await claim(3, [user, 'other', 'other']), [[third.edb, user]]);
  });

  test('recurring tasks: those of one name take no place from those of another, and it is known how many tenants share the user', async () => {
    const { storage } = database();
    const now = MORNING - 19 * MINUTE;
    const eujpId = `names ${newEdb()}`;
    const [first, second] = [newTenant({ eujpId }), newTenant({ eujpId })];
    await storage.transaction(async (tx) => {
      for (const settings of [first, second]) {
        await tx.tenants.add(settings, now);
        await tx.recurringTasks.schedule(settings.edb, ['lists', 'follow'], now - MINUTE);
      }
      await tx.recurringTasks.schedule(second.edb, ['collect'], now);
    });
    const claim = async (running: readonly { readonly user: string; readonly name: RecurringTaskName }[]) => {
      const lease = { token: 'names', until: now + MINUTE };
      const share = { maxPerName: 1, running };
      const tasks = await storage.transaction((tx) => tx.recurringTasks.claim(lease, now, 100, share));
      return tasks.filter(({ user }) => user.endsWith(eujpId));
    };
    const tasks = await claim([{ user: `${first.environment} ${eujpId}`, name: 'follow' }]);
    assert.deepEqual(tasks.map(({ name, tenantsOfUser }) => [name, tenantsOfUser]).toSorted(), [
      ['collect', 2],
      ['lists', 2],
    ]);
    assert.deepEqual(await claim(tasks).then((others) => others.map(({ name }) => name)), ['follow']);
  });

  test('a follow-up that is to begin earlier does, whatever a run in progress returns', async () => {
    const { storage } = database();
    const now = MORNING - 23 * MINUTE;
    const settings = newTenant({ eujpId: `earlier ${newEdb()}` });
    const task = { tenant: settings.edb, name: 'follow' } as const;
    await storage.transaction(async (tx) => {
      await tx.tenants.add(settings, now);
      await tx.recurringTasks.schedule(settings.edb, ['follow'], now);
    });
    const claim = async (token: string) => {
      const lease = { token, until: now + MINUTE };
      const claimed = await storage.transaction((tx) =>
        tx.recurringTasks.claim(lease, now, 100, { maxPerName: 1, running: [] }),
      );
      return claimed.find(({ tenant }) => tenant === settings.edb)?.checkpoint;
    };
    const end = (token: string, checkpoint: string) => {
      const next = { dueAt: now, checkpoint, failures: 0, failure: null, quietRuns: 0 };
      return storage.transaction((tx) => tx.recurringTasks.reschedule(task, token, next));
    };
    const from = (day: string) => storage.transaction((tx) => tx.recurringTasks.followFrom(settings.edb, day, now));
    assert.equal(await claim('first'), null);
    await from('2026-10-02');
    assert.equal(await end('first', '2026-10-09'), false);
    assert.equal(await claim('second'), '2026-10-02');
    assert.equal(await end('second', '2026-10-09'), true);
    await from('2026-10-05');
    await from('2026-10-07');
    assert.equal(await claim('third'), '2026-10-05');
  });

  test('turns of one user lie the interval apart, whoever takes them; other users have their own', async () => {
    const { storage } = database();
    const other = (await database().openAgain()).storage;
    const ask = (from: typeof storage, user: string, now: number, requests: WaitingRequests = { send: 1 }) =>
      from.transaction((tx) => tx.pace.ask('test', user, requests, now, 1_000));
    const turn = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).turn?.at ?? null;
    const user = newEdb();
    assert.equal(await turn(storage, user, 5_000), 5_000);
    assert.deepEqual(await ask(other, user, 5_100), { turn: null, askAt: 5_900 });
    assert.equal(await turn(other, user, 5_900), 6_000);
    assert.equal(await turn(other, `${user}x`, 5_900), 5_900);
    assert.equal(await turn(storage, user, 20_000), 20_000);
  });

  test('a process knows of what is more urgent in another one, and of what is owed a turn there', async () => {
    const { storage } = database();
    const other = (await database().openAgain()).storage;
    const user = newEdb();
    const ask = async (from: typeof storage, now: number, requests: WaitingRequests) =>
      (await from.transaction((tx) => tx.pace.ask('test', user, requests, now, 1_000))).turn?.kind ?? null;
    const order: (string | null)[] = [];
    for (let now = 10_000; now < 25_000; now += 1_000) {
      // Both ask for each turn, the less urgent one first.
      const polling = await ask(other, now, { collect: 9 });
      const sending = await ask(storage, now, { send: 9 });
      order.push(polling ?? sending);
    }
    const sends = (count: number) => Array.from({ length: count }, () => 'send');
    assert.deepEqual(order, ['collect', ...sends(12), 'collect', 'send']);
  });

  test('a turn that a process of the version before has reserved is not given again', async () => {
    const { storage, engine } = database();
    const user = newEdb();
    const ask = (now: number) => storage.transaction((tx) => tx.pace.ask('test', user, { send: 1 }, now, 1_000));
    await ask(5_000);
    await engine.transaction((sql) => sql.run('update pace set free_at = free_at + 1000 where eujp_id = $1', [user]));
    assert.deepEqual(await ask(5_900), { turn: null, askAt: 6_900 });
    assert.equal((await ask(6_900)).turn?.at, 7_000);
  });
});
