import type { ApiKey } from '../../domain/accounts/api-key.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import { FAILURES_TO_TELL } from '../../domain/accounts/failures-in-a-row.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import { docUidTime } from '../../domain/documents/doc-uid.ts';
import { OUTBOUND_STATUS, type OutboundStatus } from '../../domain/documents/outbound-status.ts';
import type { DeliveryHold } from '../../domain/operations/delivery-hold.ts';
import { percentileMs } from '../../domain/operations/delivery-times.ts';
import {
  type ActivityCount,
  type ActivityMeasure,
  HOUR_MS,
  hourOf,
} from '../../domain/operations/document-activity.ts';
import { type CertificateTerm, listCertificates } from '../accounts/watch-certificates.ts';
import { STORED_DAMAGE } from '../delivery/delivery-failure.ts';
import type { Clock, Timers } from '../ports/platform.ts';
import type { FailingDocuments } from '../ports/storage/delivery-store.ts';
import type { StepCount } from '../ports/storage/operations/activity-store.ts';
import type { OldestDocument, TaskState } from '../ports/storage/operations/overview-store.ts';
import type { KeptStray } from '../ports/storage/outbound/stray-registration-store.ts';
import type { OutboundSearch } from '../ports/storage/search/document-search-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { inTurns } from './in-turns.ts';
import { recentStrays } from './recent-strays.ts';

/** How far back the overview looks, and in how many steps. */
export const PERIODS = {
  '24h': { steps: 24, stepMs: HOUR_MS },
  '7d': { steps: 28, stepMs: 6 * HOUR_MS },
  '30d': { steps: 30, stepMs: 24 * HOUR_MS },
} as const;

export type Period = keyof typeof PERIODS;

/** What happened in a step of the period, by status that documents moved into. */
export type ActivityStep = { readonly from: number; readonly moves: ReadonlyMap<OutboundStatus, number> };

export type CodeCount = { readonly code: string; readonly documents: number };

export type Overview = {
  readonly counts: ReadonlyMap<OutboundStatus, number>;
  /** The document that waits longest to be delivered. */
  readonly oldest: (OldestDocument & { readonly since: number }) | null;
  readonly steps: readonly ActivityStep[];
  /** Rejected and failed documents of the period by code, the most frequent first. */
  readonly failures: readonly CodeCount[];
  readonly retries: readonly CodeCount[];
  readonly deliveryMs: { readonly p50: number | null; readonly p95: number | null };
  readonly authority: readonly TaskState[];
  readonly tenants: readonly Tenant[];
  readonly failing: ReadonlyMap<Edb, FailingDocuments>;
  /** Certificates that have expired or will soon, the earliest first. */
  readonly certificates: readonly CertificateTerm[];
  readonly keys: readonly ApiKey[];
  /** Why nothing is delivered for anybody; null where it is. */
  readonly hold: DeliveryHold | null;
  /** Documents that are held because what is stored of them is damaged; a hundred at most. */
  readonly damaged: number;
  /** Registrations of the last week that do not fit their documents, the newest first. */
  readonly strays: readonly KeptStray[];
};

export type ReadOverview = (period: Period) => Promise<Overview>;

type Total = Omit<ActivityCount, 'hour'>;

type Needs = { readonly storage: Storage; readonly clock: Clock; readonly nextTurn: Timers['nextTurn'] };

/** A new key takes its client a release. */
const SOON_MS = 30 * 24 * HOUR_MS;
const MOST_DAMAGED = 100;
/** Nobody needs to be reminded for ever of a key that was not renewed, or of a registration: nothing here tells whether it was dealt with. */
const LONG_AGO_MS = 7 * 24 * HOUR_MS;

const { received, processing, sent, cancelled } = OUTBOUND_STATUS;

const DAMAGED: OutboundSearch = {
  failureCode: STORED_DAMAGE.code,
  ...{ tenant: null, partner: null, mark: null, since: null, until: null, olderThan: null, statuses: null },
};

export function readOverview({ storage, clock, nextTurn }: Needs): ReadOverview {
  return async (period) => {
    const inTurn = inTurns(nextTurn);
    const now = clock.now();
    const { steps, stepMs } = PERIODS[period];
    const begin = hourOf(now) + HOUR_MS - steps * stepMs;
    const [counts, oldest, moves, totals, authority, tenants, failing, certificates, keys, hold, damaged, strays] =
      await Promise.all([
        inTurn(() => storage.overview.countOutbound()),
        inTurn(() => storage.overview.oldest([received, processing, sent])),
        inTurn(() => storage.activity.movesByStep(begin, stepMs)),
        inTurn(() => storage.activity.totals(begin)),
        inTurn(() => storage.overview.taskStates()),
        inTurn(() => storage.tenants.list()),
        inTurn(() => storage.deliveries.failing(FAILURES_TO_TELL)),
        inTurn(() => listCertificates({ credentials: storage.credentials, clock })()),
        inTurn(() => storage.keys.list(null)),
        inTurn(() => storage.deliveryHold.find()),
        inTurn(() => storage.documentSearch.outbound(DAMAGED, MOST_DAMAGED)),
        inTurn(() => recentStrays(storage, now - LONG_AGO_MS)),
      ]);
    const times = sums(totals, 'delivery-time');
    const byStep = new Map([...times].map(([step, documents]) => [Number(step), documents]));
    return {
      counts,
      oldest: longestWaiting(oldest),
      steps: stepsOf(moves, begin, PERIODS[period]),
      failures: byFrequency(sums(totals, 'failure')),
      retries: byFrequency(sums(totals, 'retry')),
      deliveryMs: { p50: percentileMs(byStep, 0.5), p95: percentileMs(byStep, 0.95) },
      authority,
      tenants,
      failing,
      certificates: certificates.filter(({ warning }) => warning !== null),
      keys: keys.filter((key) => needsRenewal(key, now)),
      hold,
      damaged: damaged.filter(({ status }) => status !== cancelled).length,
      strays,
    };
  };
}

function needsRenewal({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt === null && expiresAt !== null && expiresAt <= now + SOON_MS && expiresAt > now - LONG_AGO_MS;
}

function longestWaiting(documents: readonly OldestDocument[]): Overview['oldest'] {
  const [oldest] = documents.toSorted((one, other) => (one.docUid < other.docUid ? -1 : 1));
  return oldest === undefined ? null : { ...oldest, since: docUidTime(oldest.docUid) };
}

function stepsOf(
  counts: readonly StepCount[],
  begin: number,
  { steps, stepMs }: (typeof PERIODS)[Period],
): readonly ActivityStep[] {
  const moves = Array.from({ length: steps }, () => new Map<OutboundStatus, number>());
  for (const { step, status, documents } of counts) moves[step]?.set(status, documents);
  return moves.map((ofStep, index) => ({ from: begin + index * stepMs, moves: ofStep }));
}

function sums(totals: readonly Total[], wanted: ActivityMeasure): ReadonlyMap<string, number> {
  const ofMeasure = totals.filter(({ measure }) => measure === wanted);
  return new Map(ofMeasure.map(({ label, documents }) => [label, documents]));
}

function byFrequency(counts: ReadonlyMap<string, number>): readonly CodeCount[] {
  return [...counts]
    .map(([code, documents]) => ({ code, documents }))
    .toSorted((one, other) => other.documents - one.documents || (one.code < other.code ? -1 : 1));
}
