import type { Tenant } from '../../domain/accounts/tenant.ts';
import { daysAfter, skopjeDay } from '../../domain/values/skopje-day.ts';
import { PartOfChanges } from '../errors/authority-answers.ts';
import { type Authority, AuthorityCallError, type AuthorityStatusChange, REFUSALS } from '../ports/authority.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** Further back nobody looks: by then a registered document does not change any more. */
const LONGEST_ABSENCE_DAYS = 90;
/** The authority's clock may be behind ours: its day is over a little later. */
const CLOCKS_APART_MS = 3_600_000;

/** A later status of a document, once it is on record, for the log and the metrics. */
export type FollowedStatus = { readonly tenant: Tenant } & Pick<AuthorityStatusChange, 'euid' | 'status'>;

type Needs = {
  readonly storage: Storage;
  readonly authority: Pick<Authority, 'statusChanges'>;
  readonly clock: Clock;
  readonly report: (followed: FollowedStatus) => void;
};

/**
 * Of one with many documents so many days in a row may be long, and late whenever they are asked for. Where today is late as well, whose list is
 * shorter at night at the latest, nothing is answered.
 */
const MOST_LATE_IN_A_ROW = 2;

type Failures = { readonly errors: AuthorityCallError[]; lateInARow: number };

/** Before every day, where nothing is known of the days behind. */
export const FROM_FAR_BACK = '';

/** The day up to which all changes are known; null before the first time. Returns the new one; throws where a day could not be listed. */
export type FollowAuthorityStatus = (tenant: Tenant, followedTo: string | null) => Promise<string>;

/**
 * Brings the authority's later statuses of registered documents (accepted by the buyer, rejected, voided, …) into `ujp` and into
 * the history. Days that were asked for before their end are asked for again.
 */
export function followAuthorityStatus({ storage, authority, clock, report }: Needs): FollowAuthorityStatus {
  /** A day that cannot be listed, or not as a whole, keeps none of the following ones back. */
  async function changesOn(tenant: Tenant, day: string, failures: Failures): Promise<readonly AuthorityStatusChange[]> {
    try {
      const changes = await authority.statusChanges(tenant, day);
      failures.lateInARow = 0;
      return changes;
    } catch (error) {
      if (!mayBeAboutDay(error)) throw error;
      failures.lateInARow = error.kind === 'timeout' ? failures.lateInARow + 1 : 0;
      failures.errors.push(error);
      return error instanceof PartOfChanges ? error.changes : [];
    }
  }

  async function follow(tenant: Tenant, day: string, failures: Failures): Promise<void> {
    const changes = await changesOn(tenant, day, failures);
    if (changes.length === 0) return;
    const now = clock.now();
    const recorded = await storage.transaction(async (tx) => {
      const news: AuthorityStatusChange[] = [];
      for (const change of changes) {
        if (await tx.deliveries.recordAuthorityStatus(tenant.edb, change, now)) news.push(change);
      }
      return news;
    });
    for (const { euid, status } of recorded) report({ tenant, euid, status });
  }

  return async (tenant, followedTo) => {
    const now = clock.now();
    const today = skopjeDay(now);
    const failures: Failures = { errors: [], lateInARow: 0 };
    for (let day = firstDay(today, followedTo); day <= today; day = daysAfter(day, 1)) {
      await follow(tenant, day, failures);
      if (failures.lateInARow < MOST_LATE_IN_A_ROW || day === today) continue;
      await follow(tenant, today, failures);
      if (failures.lateInARow > MOST_LATE_IN_A_ROW) break;
      failures.lateInARow = 0;
    }
    // The day stays where it was: those that failed are asked for again, and with them those that did not.
    const [first] = failures.errors;
    if (first !== undefined) throw first;
    return skopjeDay(now - CLOCKS_APART_MS);
  };
}

/** Where to begin for a taxpayer of whom nothing was asked before. */
export function beginningOn(now: number): string {
  return firstDay(skopjeDay(now), null);
}

function firstDay(today: string, followedTo: string | null): string {
  // A day that has not begun was written by a wrong clock: nothing is known to be complete after yesterday.
  if (followedTo === null || followedTo > today) return daysAfter(today, -1);
  const earliest = daysAfter(today, -LONGEST_ABSENCE_DAYS);
  return followedTo < earliest ? earliest : followedTo;
}

/** Where the authority cannot be asked at all, no other day would be listed either. A long list takes its time. */
function mayBeAboutDay(error: unknown): error is AuthorityCallError {
  if (!(error instanceof AuthorityCallError)) return false;
  return error.kind === 'error' || error.kind === 'timeout' || REFUSALS.has(error.kind);
}
