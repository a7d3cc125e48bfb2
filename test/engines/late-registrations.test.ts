import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpretErrors } from '../../src/adapters/ujp/answers/interpret-errors.ts';
import { deliverOutbound } from '../../src/application/delivery/deliver-outbound.ts';
import type { Delivery, DeliveryEvent } from '../../src/application/delivery/delivery.ts';
import { cancelOutbound } from '../../src/application/outbound/cancel-outbound.ts';
import { inspectOutbound } from '../../src/application/outbound/inspect-outbound.ts';
import type { Authority, Registration } from '../../src/application/ports/authority.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { claimedVoid } from '../../src/application/voiding/claimed-void.ts';
import { OUTBOUND_STATUS, type OutboundEvent } from '../../src/domain/documents/outbound-status.ts';
import { callerOf } from '../application/accounts/callers.ts';
import { onEveryEngine, type TestDatabase } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { addOutboundIn, fileOf, MORNING, newOutbound, newTenant, record } from './samples.ts';
import { voidNeeds } from './void-needs.ts';

const SECOND = 1_000;
const LEASE = { token: 'first', until: MORNING + 60 * SECOND };
const OTHER_LEASE = { token: 'second', until: MORNING + 7_200 * SECOND };
const AFTER_LEASE = LEASE.until + SECOND;
const PAYLOAD = { docTypeCode: '100', docNumber: '2026-1', docDate: '2026-11-16', docId: 'ID', text: '{}' };
const STORED = { ...PAYLOAD, warnings: [], requestTimestamp: '2026-11-16T09:00:00', sentAt: MORNING };
const EUID = '01a1e35e-c000-7aaa-8bbb-000000000001';
const OTHER_EUID = '01a1e35e-c000-7aaa-8bbb-000000000002';
const { sent, processing } = OUTBOUND_STATUS;

function registrationOf(euid: string): Registration {
  const status = { code: '01', name: null };
  return { euid, qrLink: null, registeredAt: '2026-11-16T08:00:01.000Z', status, message: null, answer: '{"ok":1}' };
}

const REASON = { code: 'S-1', name: 'Reason', comment: null };

type Meanwhile = (tx: Storage, delivery: Delivery) => Promise<unknown>;

/** Another worker claims the document when the lease has ended. */
const takeOver: Meanwhile = async (tx, { tenant }) => {
  const taken = await tx.deliveries.claim(tenant.edb, 'delivery', OTHER_LEASE, AFTER_LEASE, 10);
  assert.equal(taken.length, 1);
};

async function move(tx: Storage, { tenant, document }: Delivery, event: OutboundEvent, euid: string | null = null) {
  const status = (await tx.outbound.find(tenant.edb, document.docUid))?.status ?? assert.fail();
  const answer = { accepted: true, qrLink: null, registeredAt: null, statusCode: '01', statusName: null };
  const ujp = euid === null ? {} : { ujp: { ...answer, euid, message: null, errors: [] } };
  assert.ok(await tx.outbound.move(tenant.edb, document.docUid, status, event, record(AFTER_LEASE, ujp)), event);
}

const takeBack: Meanwhile = (tx, delivery) => move(tx, delivery, 'try-again');

async function claimed({ storage }: TestDatabase, status: 20 | 30): Promise<Delivery> {
  const settings = newTenant({ eujpId: 'user' });
  return storage.transaction(async (tx) => {
    await tx.tenants.add(settings, MORNING);
    const document = newOutbound({ holdMs: 0, ubl: fileOf('<Invoice/>') });
    const { docUid } = await addOutboundIn(tx, settings.edb, status, document, MORNING, { dueAt: MORNING });
    await tx.deliveries.savePayload(settings.edb, docUid, STORED);
    const [one = assert.fail()] = await tx.deliveries.claim(settings.edb, 'delivery', LEASE, MORNING, 1);
    const tenant = (await tx.tenants.find(settings.edb)) ?? assert.fail();
    return { tenant, document: one, token: LEASE.token, claimedAt: MORNING };
  });
}

/** Delivers a document whose registration arrives when all that has happened. */
async function deliverLate(storage: Storage, delivery: Delivery, meanwhile: readonly Meanwhile[]) {
  const events: DeliveryEvent[] = [];
  const late = async () => {
    for (const one of meanwhile) await storage.transaction((tx) => one(tx, delivery));
    return registrationOf(EUID);
  };
  const authority = {
    interpret: interpretErrors,
    requestTimestamp: async () => '2026-11-16T09:00:00',
    send: late,
    sinceRequestMs: async () => 0,
    findRegistered: late,
  } as unknown as Authority;
  await deliverOutbound({
    storage,
    authority,
    reader: { content: async () => '{}' },
    hasher: { sha256: (content) => fileOf(content).sha256 },
    clock: clockAt(),
    random: { bytes: (count) => new Uint8Array(count) },
    leaseMs: 60 * SECOND,
    outcomeWindowMs: 330 * SECOND,
    report: (event) => void events.push(event),
  })(delivery);
  const details = await inspectOutbound({ storage })(delivery.tenant.edb, delivery.document.docUid);
  const strays = details.strayRegistrations.map(({ euid, act, status, answer }) => ({ euid, act, status, answer }));
  return { events, details, strays, outcomes: events.map(({ outcome }) => outcome) };
}

const STRAY = { euid: EUID, act: 'send', answer: '{"ok":1}' } as const;

onEveryEngine('a registration that comes after the lease has ended', (database) => {
  for (const [act, status] of [
    ['send', processing],
    ['look-up', sent],
  ] as const) {
    test(`by a ${act} is the acceptance of a document that still waits for it`, async () => {
      const { storage } = database();
      const delivery = await claimed(database(), status);
      const { details, strays, outcomes } = await deliverLate(storage, delivery, [takeOver]);
      assert.deepEqual([details.document.status, details.document.ujp?.euid, outcomes], [40, EUID, ['accepted']]);
      assert.deepEqual(strays, []);
      assert.equal(details.attempts.at(-1)?.outcome, 'registered');
      const { edb } = delivery.tenant;
      const { docUid } = delivery.document;
      const isReleased = await storage.transaction((tx) =>
        tx.deliveries.release(edb, docUid, OTHER_LEASE.token, { dueAt: null }),
      );
      assert.equal(isReleased, false, 'the other worker has lost its lease to the acceptance');
    });
  }

  const misfits: readonly (readonly [string, number, readonly Meanwhile[]])[] = [
    ['was taken back', 20, [takeOver, takeBack]],
    ['was cancelled', 60, [takeOver, takeBack, (tx, delivery) => move(tx, delivery, 'cancel')]],
    ['was given up', 55, [takeOver, (tx, delivery) => move(tx, delivery, 'give-up')]],
    ['was rejected', 50, [takeOver, (tx, delivery) => move(tx, delivery, 'reject')]],
    ['has another EUID', 40, [takeOver, (tx, delivery) => move(tx, delivery, 'accept', OTHER_EUID)]],
    [
      'is being sent again',
      30,
      [
        takeOver,
        takeBack,
        async (tx, delivery) => {
          await move(tx, delivery, 'send');
          await tx.deliveries.beginAttempt(delivery.tenant.edb, delivery.document.docUid, 'send', AFTER_LEASE);
        },
      ],
    ],
  ];
  for (const [what, status, meanwhile] of misfits) {
    test(`is kept beside a document that ${what}, and reported`, async () => {
      const { storage } = database();
      const delivery = await claimed(database(), processing);
      const { details, events, strays, outcomes } = await deliverLate(storage, delivery, meanwhile);
      assert.equal(details.document.status, status);
      assert.notEqual(details.document.ujp?.euid, EUID);
      assert.deepEqual(strays, [{ ...STRAY, status }]);
      assert.deepEqual(outcomes, ['stray-registration']);
      assert.match(
        events[0]?.message ?? '',
        new RegExp(`registered the document as ${EUID}, .* status ${status}`, 'u'),
      );
      assert.equal(details.attempts.find(({ act }) => act === 'send')?.outcome, 'registered');
    });
  }

  for (const [how, found] of [
    ['', EUID],
    [', in large letters', EUID.toUpperCase()],
  ] as const) {
    test(`changes nothing where another worker has found the same one${how}`, async () => {
      const { storage } = database();
      const delivery = await claimed(database(), processing);
      const accept: Meanwhile = (tx, one) => move(tx, one, 'accept', found);
      const { details, strays, outcomes } = await deliverLate(storage, delivery, [takeOver, accept]);
      assert.deepEqual([details.document.status, strays, outcomes], [40, [], []]);
      assert.deepEqual(
        details.history.map(({ status }) => status),
        [10, 20, 30, 40],
      );
    });
  }

  for (const [status, meanwhile] of [
    [20, [takeOver, takeBack]],
    [55, [takeOver, (tx: Storage, delivery: Delivery) => move(tx, delivery, 'give-up')]],
  ] as const) {
    test(`keeps a document in status ${status} from being cancelled`, async () => {
      const { storage } = database();
      const delivery = await claimed(database(), processing);
      await deliverLate(storage, delivery, meanwhile);
      const { tenant, document } = delivery;
      const cancelled = cancelOutbound({ storage, clock: clockAt() })(callerOf(tenant), document.docUid);
      await assert.rejects(cancelled, { code: 'ERR-3003' });
      assert.equal((await storage.outbound.find(tenant.edb, document.docUid))?.status, status);
    });
  }

  test('is not called stray any more once it is the document’s own', async () => {
    const { storage } = database();
    const delivery = await claimed(database(), processing);
    const { strays } = await deliverLate(storage, delivery, [takeOver, takeBack]);
    assert.equal(strays.length, 1);
    const { edb } = delivery.tenant;
    await storage.transaction(async (tx) => {
      await move(tx, delivery, 'send');
      await move(tx, delivery, 'accept', EUID.toUpperCase());
    });
    const details = await inspectOutbound({ storage })(edb, delivery.document.docUid);
    assert.deepEqual(details.strayRegistrations, []);
  });
});

onEveryEngine('the answer to another document that comes after the lease has ended', (database) => {
  test('is no registration of this one: the attempt is unknown, and nothing is kept beside the document', async () => {
    const { storage } = database();
    const delivery = await claimed(database(), processing);
    const answer = { accepted: true, euid: EUID, qrLink: null, registeredAt: null, message: null, errors: [] };
    const ujp = { ...answer, statusCode: '01', statusName: null };
    await storage.transaction((tx) => addOutboundIn(tx, delivery.tenant.edb, 40, newOutbound(), MORNING, { ujp }));
    const { details, strays, outcomes } = await deliverLate(storage, delivery, [takeOver]);
    assert.deepEqual([details.document.status, strays, outcomes], [sent, [], []]);
    assert.deepEqual(
      details.attempts.map(({ act, outcome }) => [act, outcome]),
      [['send', 'unknown']],
    );
  });
});

onEveryEngine('the registration of a void that comes after the lease has ended', (database) => {
  async function registerLate(settled: 'refused' | 'failed' | 'requested' | null, voidEuid: string | null = null) {
    const { storage } = database();
    const settings = newTenant({ eujpId: 'user' });
    const { edb } = settings;
    const { needs, events } = voidNeeds(storage);
    const docUid = await storage.transaction(async (tx) => {
      await tx.tenants.add(settings, MORNING);
      const answer = { accepted: true, euid: OTHER_EUID, qrLink: null, registeredAt: null, message: null, errors: [] };
      const ujp = { ...answer, statusCode: '01', statusName: null };
      const added = await addOutboundIn(tx, edb, 40, newOutbound(), MORNING, { ujp });
      await tx.voids.request(edb, added.docUid, REASON, MORNING);
      return added.docUid;
    });
    const claim = (lease: typeof LEASE, now: number) =>
      storage.transaction(async (tx) => (await tx.voids.claim(edb, lease, now, 1))[0]);
    const mine = (await claim(LEASE, MORNING)) ?? assert.fail('not claimed');
    const tenant = (await storage.tenants.find(edb)) ?? assert.fail();
    const worker = claimedVoid(needs, tenant, mine, LEASE.token);
    const attempt = (await worker.beginSend(PAYLOAD, '2026-11-16T08:00:00')) ?? assert.fail('not begun');
    assert.ok(await claim(OTHER_LEASE, AFTER_LEASE + 3_600 * SECOND), 'not taken over');
    if (settled !== null || voidEuid !== null) {
      const state = settled ?? 'registered';
      const end = { state, dueAt: null, failures: 0, failureCode: null, failureMessage: null } as const;
      const isSettled = await storage.transaction((tx) =>
        tx.voids.settle(edb, docUid, OTHER_LEASE.token, { ...end, ...(voidEuid === null ? {} : { voidEuid }) }),
      );
      assert.ok(isSettled);
    }
    await worker.registered(attempt, registrationOf(EUID));
    const details = await inspectOutbound({ storage })(edb, docUid);
    return { details, states: events.map(({ state }) => state) };
  }

  test('settles a void that still waits for it', async () => {
    const { details, states } = await registerLate(null);
    assert.deepEqual([details.void?.state, details.void?.voidEuid, states], ['registered', EUID, ['registered']]);
    assert.equal(details.document.ujp?.statusCode, '07');
    assert.deepEqual(details.strayRegistrations, []);
  });

  for (const state of ['refused', 'failed', 'requested'] as const) {
    test(`is kept beside the document of a void that is ${state}, and reported`, async () => {
      const { details, states } = await registerLate(state);
      assert.deepEqual([details.void?.state, details.void?.voidEuid], [state, null]);
      const strays = details.strayRegistrations.map(({ euid, act, status }) => ({ euid, act, status }));
      assert.deepEqual(strays, [{ euid: EUID, act: 'void-send', status: 40 }]);
      assert.deepEqual(states, ['stray-registration']);
    });
  }

  test('changes nothing where another worker has found the same one, and is kept beside another one', async () => {
    for (const found of [EUID, EUID.toUpperCase()]) {
      const same = await registerLate(null, found);
      assert.deepEqual([same.details.strayRegistrations, same.states], [[], []]);
    }
    const other = await registerLate(null, OTHER_EUID);
    assert.deepEqual([other.details.strayRegistrations.length, other.states], [1, ['stray-registration']]);
  });
});

onEveryEngine('registrations that do not fit', (database) => {
  test('are listed for all tenants, the newest first, from a time on', async () => {
    const { storage } = database();
    const add = (recordedAt: number) =>
      storage.transaction(async (tx) => {
        const settings = newTenant();
        await tx.tenants.add(settings, MORNING);
        const { docUid } = await addOutboundIn(tx, settings.edb, 60, newOutbound(), MORNING);
        const stray = { euid: EUID, act: 'send', status: 60, registeredAt: null, recordedAt, answer: null } as const;
        assert.ok(await tx.strayRegistrations.add(settings.edb, docUid, stray));
        return { ...stray, tenant: settings.edb, docUid };
      });
    // Later than what other tests leave in the same database.
    const later = MORNING + 864_000 * SECOND;
    await add(later - 1);
    const first = await add(later);
    const second = await add(later + 1);
    assert.deepEqual(await storage.strayRegistrations.recent(later, 10), [second, first]);
    assert.deepEqual(await storage.strayRegistrations.recent(later, 1), [second]);
  });
});
