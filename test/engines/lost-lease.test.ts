import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpretErrors } from '../../src/adapters/ujp/answers/interpret-errors.ts';
import { deliverOutbound } from '../../src/application/delivery/deliver-outbound.ts';
import type { DeliveryEvent, DeliveryNeeds } from '../../src/application/delivery/delivery.ts';
import {
  type Authority,
  AuthorityCallError,
  type CallErrorKind,
  type Registration,
} from '../../src/application/ports/authority.ts';
import type { DeliveryStage } from '../../src/application/ports/storage/delivery-store.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import { onEveryEngine, type TestDatabase } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { addOutboundIn, fileOf, MORNING, newOutbound, newTenant } from './samples.ts';

const SECOND = 1_000;
/** No longer than a request may be under way: what is missing then is certain at the first look. */
const WINDOW_MS = 300_000;
const LEASE = { token: 'first', until: MORNING + 60 * SECOND };
const STOLEN = { token: 'second', until: MORNING + 7_200 * SECOND };
const TABLES = [
  'outbound',
  'outbound_history',
  'outbound_attempt',
  'outbound_payload',
  'outbound_warning',
  'recurring_task',
];

const PAYLOAD = { docTypeCode: '100', docNumber: '2026-1', docDate: '2026-11-16', docId: 'ID', text: '{}' };
const STORED = { ...PAYLOAD, warnings: [], requestTimestamp: '2026-11-16T09:00:00', sentAt: MORNING };
const EUID = '01a1e35e-c000-7aaa-8bbb-000000000001';
const REGISTRATION: Registration = {
  euid: EUID,
  qrLink: null,
  registeredAt: null,
  status: { code: '01', name: null },
  message: null,
  answer: '{}',
};

type Answers = Partial<Pick<Authority, 'prepare' | 'requestTimestamp' | 'send' | 'findRegistered' | 'container'>>;

type Scenario = {
  readonly name: string;
  readonly status: OutboundStatus;
  readonly answers: Answers;
  /** The call during which the lease passes to another worker. */
  readonly lostDuring: keyof Answers | 'findDuplicate';
  /** What the worker reports when it keeps its lease; null where it only releases the document. */
  readonly outcome: DeliveryEvent['outcome'] | null;
  readonly sentAgoMs?: number;
  readonly hasDuplicate?: boolean;
};

function failing(kind: CallErrorKind, code: string | null = null, isUncertain = false) {
  const errors = code === null ? [] : [{ code, message: 'Reported' }];
  return () => Promise.reject(new AuthorityCallError('No usable answer', { kind, errors, isUncertain }));
}

const prepared = async () => ({ outcome: 'prepared', document: PAYLOAD, warnings: [] }) as const;
const onTime = async () => '2026-11-16T09:00:00';
const READY: Answers = { prepare: prepared, requestTimestamp: onTime };

/** Every write but that of a registration: `late-registrations.test.ts` has those. */
const SCENARIOS: readonly Scenario[] = [
  {
    name: 'gives a document up that cannot be converted',
    status: 10,
    answers: {
      prepare: async () => ({
        outcome: 'failed',
        failureCode: 'NOT-EXPRESSIBLE',
        message: 'No place for it.',
        sentences: [],
        warnings: [{ code: 'LINE-LEFT-OUT', text: 'Something was left out.', path: '/Invoice' }],
      }),
    },
    lostDuring: 'prepare',
    outcome: 'failed',
  },
  {
    name: 'ends a duplicate',
    status: 10,
    answers: READY,
    lostDuring: 'findDuplicate',
    outcome: 'failed',
    hasDuplicate: true,
  },
  {
    name: 'records a preparation that could not be done',
    status: 10,
    answers: { prepare: failing('unreachable') },
    lostDuring: 'prepare',
    outcome: 'retry',
  },
  {
    name: 'stops the tenant whose account is not accepted, before anything is sent',
    status: 20,
    answers: { prepare: failing('credentials', 'E1012') },
    lostDuring: 'prepare',
    outcome: 'retry',
  },
  {
    name: 'puts a send on record',
    status: 10,
    answers: { ...READY, send: async () => assert.fail('sent') },
    lostDuring: 'requestTimestamp',
    outcome: null,
  },
  {
    name: 'rejects',
    status: 10,
    answers: { ...READY, send: failing('refused', 'E1020') },
    lostDuring: 'send',
    outcome: 'rejected',
  },
  {
    name: 'postpones a retry',
    status: 20,
    answers: { ...READY, send: failing('busy') },
    lostDuring: 'send',
    outcome: 'retry',
  },
  {
    name: 'stops the tenant whose account is not accepted, by a send',
    status: 20,
    answers: { ...READY, send: failing('credentials', 'E1012') },
    lostDuring: 'send',
    outcome: 'retry',
  },
  {
    name: 'counts a refused request against the tenant, before anything is sent',
    status: 10,
    answers: { prepare: failing('request-refused', 'E50051') },
    lostDuring: 'prepare',
    outcome: 'retry',
  },
  {
    name: 'counts a refused request against the tenant',
    status: 20,
    answers: { ...READY, send: failing('request-refused', 'E7777') },
    lostDuring: 'send',
    outcome: 'retry',
  },
  {
    name: 'records a lost answer',
    status: 10,
    answers: { ...READY, send: failing('timeout', null, true) },
    lostDuring: 'send',
    outcome: 'unknown',
  },
  {
    name: 'takes back what a look-up did not find in time',
    status: 30,
    answers: { findRegistered: async () => null },
    sentAgoMs: WINDOW_MS,
    lostDuring: 'findRegistered',
    outcome: 'retry',
  },
  {
    name: 'postpones the next look-up',
    status: 30,
    answers: { findRegistered: async () => null },
    lostDuring: 'findRegistered',
    outcome: null,
  },
  {
    name: 'records a look-up that failed',
    status: 30,
    answers: { findRegistered: failing('unreachable') },
    lostDuring: 'findRegistered',
    outcome: 'unknown',
  },
  {
    name: 'stops the tenant whose account is not accepted, by a look-up',
    status: 30,
    answers: { findRegistered: failing('credentials', 'E1012') },
    lostDuring: 'findRegistered',
    outcome: 'unknown',
  },
  {
    name: 'stores a container',
    status: 40,
    answers: { container: async () => new TextEncoder().encode('PK container') },
    lostDuring: 'container',
    outcome: null,
  },
  {
    name: 'postpones a container',
    status: 40,
    answers: { container: failing('busy') },
    lostDuring: 'container',
    outcome: null,
  },
  {
    name: 'records that the service itself failed on the document',
    status: 20,
    answers: { prepare: () => Promise.reject(new Error('unexpected')) },
    lostDuring: 'prepare',
    outcome: null,
  },
];

onEveryEngine('a worker that lost its lease', (database) => {
  for (const scenario of SCENARIOS) {
    test(`writes nothing and reports the loss where it otherwise ${scenario.name}`, async () => {
      const kept = await run(database(), scenario, false);
      assert.notDeepEqual(kept.after, kept.before, 'with its lease it writes');
      assert.deepEqual(kept.outcomes, scenario.outcome === null ? [] : [scenario.outcome]);
      const lost = await run(database(), scenario, true);
      assert.deepEqual(lost.after, lost.before, 'without its lease it does not');
      assert.ok(lost.outcomes.every((outcome) => outcome === 'lease-lost'));
    });
  }
});

onEveryEngine('a tenant that was stopped after a document was claimed', (database) => {
  test('is resumed when the authority accepts that document, and what waited for it is due', async () => {
    const { storage } = database();
    const settings = newTenant({ eujpId: 'user' });
    const { delivery, waiting } = await storage.transaction(async (tx) => {
      await tx.tenants.add(settings, MORNING);
      const due = { dueAt: MORNING };
      const { docUid } = await addOutboundIn(tx, settings.edb, 30, newOutbound({ holdMs: 0 }), MORNING, due);
      await tx.deliveries.savePayload(settings.edb, docUid, STORED);
      const later = { dueAt: MORNING + 9_999 * SECOND, failureCode: 'CREDENTIALS' };
      const waiting = await addOutboundIn(tx, settings.edb, 20, newOutbound({ holdMs: 0 }), MORNING, later);
      const [document = assert.fail()] = await tx.deliveries.claim(settings.edb, 'delivery', LEASE, MORNING, 1);
      const tenant = (await tx.tenants.find(settings.edb)) ?? assert.fail();
      assert.equal(tenant.stopped, null);
      // Meanwhile another document of the tenant was refused.
      await tx.tenants.stop(settings.edb, 'The account is not accepted.', MORNING);
      return { delivery: { tenant, document, token: LEASE.token, claimedAt: MORNING }, waiting };
    });
    const answers = { sinceRequestMs: async () => 0, findRegistered: async () => REGISTRATION };
    const authority = { interpret: interpretErrors, ...answers } as unknown as Authority;
    await deliverOutbound(needsOf(storage, authority, []))(delivery);
    assert.equal((await storage.tenants.find(settings.edb))?.stopped, null);
    assert.equal(await storage.deliveries.dueAt(settings.edb, waiting.docUid), MORNING);
  });
});

function needsOf(storage: Storage, authority: Authority, outcomes: string[]): DeliveryNeeds {
  return {
    storage,
    authority,
    reader: { content: async () => '{}' },
    hasher: { sha256: (content) => fileOf(content).sha256 },
    clock: clockAt(),
    random: { bytes: (count) => new Uint8Array(count) },
    leaseMs: 60 * SECOND,
    outcomeWindowMs: WINDOW_MS,
    report: ({ outcome }) => void outcomes.push(outcome),
  };
}

async function run(database: TestDatabase, scenario: Scenario, isLost: boolean) {
  const { engine, storage } = database;
  const stage: DeliveryStage = scenario.status === 40 ? 'container' : 'delivery';
  const settings = newTenant({ eujpId: 'user' });
  const number = { holdMs: 0, ubl: fileOf('<Invoice/>') };
  const delivery = await storage.transaction(async (tx) => {
    await tx.tenants.add(settings, MORNING);
    await tx.recurringTasks.schedule(settings.edb, ['collect'], MORNING + 9_999 * SECOND);
    const document = newOutbound({ ...number, partnerEdb: settings.edb });
    if (scenario.hasDuplicate) await addOutboundIn(tx, settings.edb, 40, document, MORNING);
    const ujp = { euid: EUID, accepted: true, qrLink: null, registeredAt: null, statusCode: '01', statusName: null };
    const accepted = { ujp: { ...ujp, message: null, errors: [] }, failures: 0 };
    const due = { dueAt: MORNING, ...(scenario.status === 40 ? accepted : {}) };
    const { docUid } = await addOutboundIn(tx, settings.edb, scenario.status, document, MORNING, due);
    if (scenario.status === 30) await tx.deliveries.savePayload(settings.edb, docUid, STORED);
    const claimed = await tx.deliveries.claim(settings.edb, stage, LEASE, MORNING, 1);
    const [claimedDocument = assert.fail('nothing was claimed')] = claimed;
    assert.equal(claimedDocument.docUid, docUid);
    const tenant = (await tx.tenants.find(settings.edb)) ?? assert.fail();
    return { tenant, document: claimedDocument, token: LEASE.token, claimedAt: MORNING };
  });
  const { docUid } = delivery.document;
  let before = await snapshot();
  const outcomes: string[] = [];

  async function snapshot() {
    const tables = await Promise.all(
      TABLES.map((table) => engine.all(`select * from ${table} where tenant = $1 order by 1, 2, 3`, [settings.edb])),
    );
    return [...tables, await engine.all('select * from tenant where edb = $1', [settings.edb])];
  }

  /** The lease runs out and another worker claims the document. */
  async function loseLease(): Promise<void> {
    if (!isLost) return;
    const now = LEASE.until + 3_600 * SECOND;
    const taken = await storage.transaction((tx) => tx.deliveries.claim(settings.edb, stage, STOLEN, now, 10));
    assert.deepEqual(
      taken.map((one) => one.docUid),
      [docUid],
    );
    before = await snapshot();
  }

  const { lostDuring, answers } = scenario;
  const call = (name: keyof Answers) => async (): Promise<never> => {
    if (name === lostDuring) await loseLease();
    const answer = answers[name] ?? (() => assert.fail(`${name} was called`));
    return (await (answer as () => Promise<unknown>)()) as never;
  };
  const names = ['prepare', 'requestTimestamp', 'send', 'findRegistered', 'container'] as const;
  const authority = Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as Authority;
  const deliveries = {
    ...storage.deliveries,
    async findDuplicate(...args: Parameters<typeof storage.deliveries.findDuplicate>) {
      const found = await storage.deliveries.findDuplicate(...args);
      if (lostDuring === 'findDuplicate') await loseLease();
      return found;
    },
  };
  const told = { interpret: interpretErrors, sinceRequestMs: async () => scenario.sentAgoMs ?? 0 };
  const needs = needsOf({ ...storage, deliveries }, { ...authority, ...told }, outcomes);
  await deliverOutbound(needs)(delivery).catch((error: unknown) => {
    if (!/unexpected|sent/u.test(String(error))) throw error;
  });
  return { before, after: await snapshot(), outcomes };
}
