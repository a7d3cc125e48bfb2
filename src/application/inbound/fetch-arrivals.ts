import type { Tenant } from '../../domain/accounts/tenant.ts';
import { COLLECTION } from '../../domain/documents/arrival-problem.ts';
import { isDatabaseFailure } from '../errors/commit-unknown.ts';
import { EnvironmentChanged } from '../errors/tenant-changed.ts';
import { type Arrival, type Authority, AuthorityCallError, type CallErrorKind } from '../ports/authority.ts';
import type { ArrivalProblems, CollectionEvent } from './arrival-problems.ts';
import { asListed, contradictionOf } from './contradicted-arrival.ts';
import type { StoreArrival, WantedArrival } from './store-arrival.ts';

type Needs = {
  readonly authority: Pick<Authority, 'arrived' | 'arrivedInAnyShape'>;
  readonly store: StoreArrival;
  readonly report: (event: CollectionEvent) => void;
};

/** Fetches and stores the wanted documents; returns how many are new. Throws only when the authority is out of order. */
export type FetchArrivals = (
  tenant: Tenant,
  wanted: readonly WantedArrival[],
  problems: ArrivalProblems,
) => Promise<number>;

type Batch = readonly WantedArrival[];
type Failed = { readonly euid: string; readonly error: unknown };
type Pass = {
  readonly waiting: Batch[];
  readonly failed: Failed[];
  collected: number;
  stored: number;
  failures: number;
  lastError: unknown;
};

const BATCH_SIZE = 20;
/** Enough to split a whole batch down to single documents; whoever answers none of so many requests answers no more. */
const MOST_FAILURES_AT_FIRST = 2 * BATCH_SIZE;
/** One document that fails may be the only one that was asked for; two or more, and not one that succeeds, are an outage. */
const FEWEST_OF_OUTAGE = 2;
/** Lists were given each time: after so many runs in a row it is about these documents, which must not keep the others from being searched. */
const MOST_OUTAGES_IN_A_ROW = 3;
const OUTAGE: ReadonlySet<CallErrorKind> = new Set(['unreachable', 'timeout', 'busy']);

/**
 * Every document is asked for before anything is decided, so that none keeps those behind it from being stored. A batch that fails,
 * because it is too large or the authority fails on one document, is asked for again in halves, after all other batches.
 */
export function fetchArrivals({ authority, store, report }: Needs): FetchArrivals {
  return async (tenant, wanted, problems) => {
    const pass: Pass = {
      waiting: batchesOf(wanted),
      failed: [],
      collected: 0,
      stored: 0,
      failures: 0,
      lastError: null,
    };
    for (let batch = pass.waiting.shift(); batch !== undefined; batch = pass.waiting.shift()) {
      if (pass.stored === 0 && pass.failures >= MOST_FAILURES_AT_FIRST) {
        pass.failed.push(...batch.map(({ euid }) => ({ euid, error: pass.lastError })));
      } else await fetchBatch(tenant, batch, pass, problems);
    }
    const { stored, failed, collected } = pass;
    if (stored === 0 && isOutage(failed, problems)) throw pass.lastError;
    for (const { euid, error } of failed) await problems.fail(euid.toLowerCase(), error);
    return collected;
  };

  async function fetchBatch(tenant: Tenant, batch: Batch, pass: Pass, problems: ArrivalProblems): Promise<void> {
    const arrivals = await attempt(() =>
      authority.arrived(
        tenant,
        batch.map(({ euid }) => euid),
      ),
    );
    if ('error' in arrivals) {
      recordFailure(pass, arrivals.error);
      const [first] = batch;
      if (batch.length > 1) pass.waiting.push(...halvesOf(batch));
      else if (first !== undefined) pass.failed.push({ euid: first.euid, error: arrivals.error });
      return;
    }
    const given = new Map(arrivals.result.map((arrival) => [arrival.euid, arrival]));
    for (const wanted of batch) await storeOne(tenant, wanted, given.get(wanted.euid) ?? null, pass, problems);
  }

  async function storeOne(
    tenant: Tenant,
    wanted: WantedArrival,
    given: Arrival | null,
    pass: Pass,
    problems: ArrivalProblems,
  ): Promise<void> {
    const { euid } = wanted;
    const subject = euid.toLowerCase();
    const outcome = await attempt(async () => {
      const arrival = await trustedArrival(tenant, wanted, given);
      return { unreadable: arrival.unreadable, isNew: await store(tenant, wanted, arrival) };
    });
    if ('error' in outcome) {
      recordFailure(pass, outcome.error);
      pass.failed.push({ euid, error: outcome.error });
      return;
    }
    const { unreadable, isNew } = outcome.result;
    pass.stored += 1;
    pass.collected += isNew ? 1 : 0;
    if (unreadable === null) {
      await problems.resolve(subject);
      report({ outcome: 'stored', tenant, subject, reason: null, isNews: false });
    } else report({ outcome: 'unreadable', tenant, subject, reason: unreadable, isNews: true });
  }

  /** One that is missing in an answer for several, or is another document than the list names, is asked for once more alone. */
  async function trustedArrival(tenant: Tenant, wanted: WantedArrival, given: Arrival | null): Promise<Arrival> {
    if (given !== null && contradictionOf(given, wanted.facts) === null) return given;
    const alone = await authority.arrivedInAnyShape(tenant, wanted.euid);
    const contradiction = contradictionOf(alone, wanted.facts);
    return contradiction === null ? alone : asListed(alone, wanted, contradiction);
  }
}

function recordFailure(pass: Pass, error: unknown): void {
  pass.failures += 1;
  pass.lastError = error;
}

/** What fails for one document is a value. A database that cannot serve, a service that stops, or another environment ends the run. */
async function attempt<Result>(work: () => Promise<Result>): Promise<{ readonly result: Result } | Failure> {
  try {
    return { result: await work() };
  } catch (error) {
    if (isDatabaseFailure(error) || error instanceof EnvironmentChanged) throw error;
    return { error };
  }
}

type Failure = { readonly error: unknown };

/** What is on record by itself failed while others did not: it says nothing about the authority. */
function isOutage(failed: readonly Failed[], problems: ArrivalProblems): boolean {
  if (problems.failuresOf(COLLECTION) >= MOST_OUTAGES_IN_A_ROW || !failed.every(isOfOutage)) return false;
  return failed.filter(({ euid }) => problems.failuresOf(euid.toLowerCase()) === 0).length >= FEWEST_OF_OUTAGE;
}

function isOfOutage({ error }: Failed): boolean {
  return error instanceof AuthorityCallError && OUTAGE.has(error.kind);
}

function batchesOf(wanted: Batch): Batch[] {
  return Array.from({ length: Math.ceil(wanted.length / BATCH_SIZE) }, (_, index) =>
    wanted.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  );
}

function halvesOf(batch: Batch): readonly Batch[] {
  const half = Math.ceil(batch.length / 2);
  return [batch.slice(0, half), batch.slice(half)];
}
