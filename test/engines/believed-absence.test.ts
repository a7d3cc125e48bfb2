import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemHasher, systemRandom } from '../../src/adapters/platform/platform.ts';
import { interpretErrors } from '../../src/adapters/ujp/answers/interpret-errors.ts';
import { createAuthorityClock } from '../../src/adapters/ujp/gateway/authority-clock.ts';
import { skopjeTime } from '../../src/adapters/ujp/gateway/skopje-time.ts';
import { deliverOutbound } from '../../src/application/delivery/deliver-outbound.ts';
import { Problem } from '../../src/application/errors/problem.ts';
import { cancelOutbound } from '../../src/application/outbound/cancel-outbound.ts';
import { type Authority, AuthorityCallError } from '../../src/application/ports/authority.ts';
import type { AttemptOutcome, RecordedAttempt } from '../../src/application/ports/storage/delivery-store.ts';
import { deliverVoids } from '../../src/application/voiding/deliver-voids.ts';
import type { Tenant } from '../../src/domain/accounts/tenant.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import { callerOf } from '../application/accounts/callers.ts';
import { onEveryEngine, type TestDatabase } from '../support/engines.ts';
import { clockAt, type TestClock } from '../support/test-clock.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from './samples.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** So long the authority may carry a request out, and so long its lists may lag behind. */
const UNDER_WAY_MS = 300 * SECOND;
const LAG_MS = 30 * SECOND;
const FAR_FUTURE = MORNING + 500 * 24 * HOUR;
const SENT = { docTypeCode: '100', docNumber: '2026-1', docDate: '2026-11-16', docId: 'ID', text: '{"document":{}}' };
const REQUEST_TIMESTAMP = skopjeTime(MORNING);
const REASON = { code: 'S-1', name: 'Погрешен купувач', comment: null };
const ERR_3003 = (error: unknown) => error instanceof Problem && error.code === 'ERR-3003';

/** How the clocks stand at a look-up. */
type Clocks = {
  /** The authority's clock; null where it does not tell its time. */
  readonly authority: number | null;
  readonly worker: number;
};

/** An authority that has nothing, and what it was asked, in order. */
function emptyAuthority(clock: TestClock) {
  const asked: string[] = [];
  let time: number | null = null;
  const { sinceRequestMs } = createAuthorityClock({
    clock,
    async fetchServerTime() {
      asked.push('time');
      if (time === null) throw new AuthorityCallError('No answer', { kind: 'timeout', isUncertain: true });
      return { timestamp: skopjeTime(time) };
    },
  });
  const authority = {
    interpret: interpretErrors,
    sinceRequestMs: (_tenant: Tenant, madeAt: string | number) => sinceRequestMs('test', madeAt),
    async findRegistered() {
      asked.push('look-up');
      return null;
    },
  };
  return {
    authority: authority as unknown as Authority,
    asked,
    setClocks(clocks: Clocks) {
      time = clocks.authority;
      clock.set(clocks.worker);
    },
  };
}

onEveryEngine('what the authority does not show', (database) => {
  const needsOf = (authority: Authority, clock: TestClock) => ({
    storage: database().storage,
    authority,
    clock,
    random: systemRandom,
    outcomeWindowMs: UNDER_WAY_MS + LAG_MS,
    report: () => undefined,
  });

  /** A document whose answer was lost, sent at `MORNING` by the authority's clock and at another time by the worker's. */
  async function lost(sentAt: number): Promise<{ readonly tenant: Tenant; readonly docUid: DocUid }> {
    const settings = newTenant({ eujpId: 'user' });
    return database().storage.transaction(async (tx) => {
      await tx.tenants.add(settings, MORNING);
      const due = { dueAt: MORNING };
      const { docUid } = await addOutboundIn(tx, settings.edb, 30, newOutbound({ holdMs: 0 }), MORNING, due);
      const payload = { ...SENT, warnings: [], requestTimestamp: REQUEST_TIMESTAMP, sentAt };
      await tx.deliveries.savePayload(settings.edb, docUid, payload);
      await ended(tx.deliveries, settings.edb, docUid, 'send', 'unknown');
      return { tenant: (await tx.tenants.find(settings.edb)) ?? assert.fail(), docUid };
    });
  }

  /** By one process, at the given times. */
  async function lookUp({ tenant, docUid }: Awaited<ReturnType<typeof lost>>, ...times: readonly Clocks[]) {
    const { storage } = database();
    const clock = clockAt();
    const { authority, asked, setClocks } = emptyAuthority(clock);
    const lease = { token: 'worker', until: MORNING + HOUR };
    const deliver = deliverOutbound({
      ...needsOf(authority, clock),
      reader: { content: async () => assert.fail('nothing is prepared') },
      hasher: systemHasher,
      leaseMs: 60 * SECOND,
    });
    for (const clocks of times) {
      setClocks(clocks);
      const claim = () =>
        storage.transaction((tx) => tx.deliveries.claim(tenant.edb, 'delivery', lease, FAR_FUTURE, 1));
      const [document = assert.fail()] = await claim();
      await deliver({ tenant, document, token: lease.token, claimedAt: clocks.worker });
    }
    const status = (await storage.outbound.find(tenant.edb, docUid))?.status;
    const pauseMs = ((await storage.deliveries.dueAt(tenant.edb, docUid)) ?? 0) - clock.now();
    return { status, asked, pauseMs };
  }

  /** Seen to be too old for the authority at first, and after the time that its lists may lag behind. */
  const tooOld = (worker: number, laterMs = LAG_MS): readonly Clocks[] => [
    { authority: MORNING + UNDER_WAY_MS + SECOND, worker },
    { authority: MORNING + UNDER_WAY_MS + SECOND + laterMs, worker: worker + laterMs },
  ];

  const cancel = (tenant: Tenant, docUid: DocUid) =>
    cancelOutbound({ storage: database().storage, clock: clockAt() })(callerOf(tenant), docUid);

  for (const worker of [MORNING + HOUR, MORNING - HOUR, MORNING + 400 * 24 * HOUR]) {
    const ahead = (worker - MORNING) / HOUR;
    test(`is not believed within five minutes of its own clock, by a worker ${ahead} hours ahead: not cancelled`, async () => {
      const sent = await lost(MORNING);
      const { status, asked, pauseMs } = await lookUp(sent, { authority: MORNING + UNDER_WAY_MS, worker });
      assert.deepEqual([status, pauseMs], [30, 999], 'the request was made within the second that it states');
      assert.deepEqual(asked, ['time', 'look-up'], 'its time is older than what it shows');
      await assert.rejects(cancel(sent.tenant, sent.docUid), ERR_3003);
    });

    test(`is not believed before its lists must show it, by a worker ${ahead} hours ahead`, async () => {
      const sent = await lost(MORNING);
      const { status, pauseMs } = await lookUp(sent, ...tooOld(worker, LAG_MS - SECOND));
      assert.deepEqual([status, pauseMs], [30, SECOND]);
      await assert.rejects(cancel(sent.tenant, sent.docUid), ERR_3003);
    });

    test(`is believed once that time is over, by a worker ${ahead} hours ahead: cancelled on demand`, async () => {
      const sent = await lost(worker + 2 * HOUR);
      const { status } = await lookUp(sent, ...tooOld(worker));
      assert.equal(status, 20);
      assert.equal((await cancel(sent.tenant, sent.docUid)).status, 60);
    });
  }

  const LEAPS: Readonly<Record<string, readonly Clocks[]>> = {
    'the authority’s clock was set forward': [{ authority: MORNING + HOUR, worker: MORNING + 4 * SECOND }],
    'the authority’s clock was set forward again': [
      { authority: MORNING + HOUR, worker: MORNING + 4 * SECOND },
      { authority: MORNING + 2 * HOUR, worker: MORNING + 8 * SECOND },
    ],
    'that of the worker was set forward between its looks': [
      { authority: MORNING + HOUR, worker: MORNING + 4 * SECOND },
      { authority: MORNING + HOUR + 4 * SECOND, worker: MORNING + HOUR },
    ],
    'that of the worker was set back between its looks': [
      { authority: MORNING + HOUR, worker: MORNING + HOUR },
      { authority: MORNING + HOUR + 60 * SECOND, worker: MORNING },
    ],
    'that of the authority was set right again': [
      { authority: MORNING + HOUR, worker: MORNING + 4 * SECOND },
      { authority: MORNING + 40 * SECOND, worker: MORNING + 40 * SECOND },
      { authority: MORNING + UNDER_WAY_MS + SECOND, worker: MORNING + UNDER_WAY_MS + SECOND },
    ],
  };
  for (const [what, times] of Object.entries(LEAPS)) {
    test(`is not believed at once when ${what}: its lists may not show it yet`, async () => {
      const sent = await lost(MORNING);
      assert.equal((await lookUp(sent, ...times)).status, 30);
      await assert.rejects(cancel(sent.tenant, sent.docUid), ERR_3003);
    });
  }

  test('is not believed while its time is not known, however long that takes', async () => {
    const sent = await lost(MORNING);
    const clocks = { authority: null, worker: MORNING + 24 * HOUR };
    const { status, asked } = await lookUp(sent, clocks);
    assert.deepEqual([status, asked], [30, ['time']]);
    await assert.rejects(cancel(sent.tenant, sent.docUid), ERR_3003);
  });

  const PUT_BACK: readonly (readonly [OutboundStatus, readonly (AttemptOutcome | null)[], boolean])[] = [
    [20, ['unknown'], false],
    [20, [null], false],
    [55, ['unknown', 'failed'], false],
    [20, ['failed'], true],
    [20, ['request-refused'], true],
  ];
  for (const [status, outcomes, isCancelled] of PUT_BACK) {
    test(`a document in ${status} whose attempts ended as ${outcomes.join(', ')} is ${isCancelled ? '' : 'not '}cancelled`, async () => {
      const settings = newTenant();
      const { tenant, docUid } = await database().storage.transaction(async (tx) => {
        await tx.tenants.add(settings, MORNING);
        const { docUid } = await addOutboundIn(tx, settings.edb, status, newOutbound(), MORNING);
        for (const outcome of outcomes) await ended(tx.deliveries, settings.edb, docUid, 'send', outcome);
        await ended(tx.deliveries, settings.edb, docUid, 'look-up', 'failed');
        return { tenant: (await tx.tenants.find(settings.edb)) ?? assert.fail(), docUid };
      });
      if (isCancelled) assert.equal((await cancel(tenant, docUid)).status, 60);
      else await assert.rejects(cancel(tenant, docUid), ERR_3003);
    });
  }

  for (const [times, state] of [
    [[{ authority: MORNING + UNDER_WAY_MS, worker: MORNING + HOUR }], 'sent'],
    [tooOld(MORNING + HOUR, LAG_MS - SECOND), 'sent'],
    [tooOld(MORNING + HOUR), 'requested'],
    [[{ authority: null, worker: MORNING + HOUR }], 'sent'],
  ] as const) {
    const when = times.map(({ authority }) => authority ?? 'nothing').join(', then ');
    test(`a void ${state === 'sent' ? 'may still arrive' : 'is sent again'} when the authority's clock says ${when}`, async () => {
      const { storage } = database();
      const { tenant, docUid } = await lost(MORNING);
      await storage.transaction(async (tx) => {
        await tx.voids.request(tenant.edb, docUid, REASON, MORNING);
        const lease = { token: 'before', until: MORNING };
        await tx.voids.claim(tenant.edb, lease, MORNING, 1);
        const sent = { ...SENT, requestTimestamp: REQUEST_TIMESTAMP };
        assert.ok(await tx.voids.beginSend(tenant.edb, docUid, lease, sent, MORNING));
      });
      const clock = clockAt();
      const { authority, setClocks } = emptyAuthority(clock);
      const { startDue, finish } = deliverVoids({
        ...needsOf(authority, clock),
        readList: async () => [],
        leaseMs: 60 * SECOND,
        newToken: () => 'worker',
        onFailure: (error) => assert.fail(String(error)),
      });
      for (const clocks of times) {
        setClocks(clocks);
        await startDue();
        await finish();
      }
      assert.equal((await storage.voids.find(tenant.edb, docUid))?.state, state);
    });
  }
});

async function ended(
  { beginAttempt, endAttempt }: TestDatabase['storage']['deliveries'],
  tenant: Tenant['edb'],
  docUid: DocUid,
  act: RecordedAttempt['act'],
  outcome: AttemptOutcome | null,
): Promise<void> {
  const ordinal = await beginAttempt(tenant, docUid, act, MORNING);
  if (outcome === null) return;
  const end = { endedAt: MORNING, failureCode: null, message: null, answer: null };
  await endAttempt(tenant, docUid, ordinal, { ...end, outcome });
}
