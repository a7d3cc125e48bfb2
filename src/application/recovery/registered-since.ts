import type { Tenant } from '../../domain/accounts/tenant.ts';
import { euidTime } from '../../domain/documents/euid.ts';
import { type DaySpan, daySpans, daysAfter, skopjeDay } from '../../domain/values/skopje-day.ts';
import { AuthorityCallError, isRefusedByAuthority } from '../ports/authority.ts';
import type { Clock } from '../ports/platform.ts';
import type { AuthorityRegister, ListedRegistration } from '../ports/recovery/authority-register.ts';

type Needs = { readonly register: Pick<AuthorityRegister, 'registeredBetween'>; readonly clock: Clock };

type RegisteredSince = {
  readonly registrations: readonly ListedRegistration[];
  /** Why the authority lists no days to come; null where it does. */
  readonly aheadRefused: string | null;
};

/** The authority lists by the date of the document, which may be so much earlier or later than the day on which it was sent. */
const DATED_APART_DAYS = 62;
/** It lists a month at most, and February has 28 days. */
const LISTED_DAYS = 28;
/** By so much the authority's clock may be behind ours. */
const MARGIN_MS = 3_600_000;

/**
 * By the time that an EUID carries; one that carries none is compared as well. Days to come are asked for by themselves: an authority that lists
 * none of them must not keep the others from being compared, or the hold would never end.
 */
export async function registeredSince(
  { register, clock }: Needs,
  tenant: Tenant,
  since: number,
  progress: (done: number, total: number) => void,
): Promise<RegisteredSince> {
  const found = new Map<string, ListedRegistration>();
  const today = skopjeDay(clock.now());
  const tomorrow = daysAfter(today, 1);
  const usual = daySpans(daysAfter(skopjeDay(since), -DATED_APART_DAYS), tomorrow, LISTED_DAYS);
  const ahead = daySpans(daysAfter(tomorrow, 1), daysAfter(today, DATED_APART_DAYS), LISTED_DAYS);
  let done = 0;

  async function list({ from, to }: DaySpan): Promise<void> {
    progress(done, usual.length + ahead.length);
    done += 1;
    for (const one of await register.registeredBetween(tenant, from, to)) {
      const at = euidTime(one.registration.euid);
      if (at === null || at >= since - MARGIN_MS) found.set(one.registration.euid.toLowerCase(), one);
    }
  }

  for (const span of usual) await list(span);
  let aheadRefused: string | null = null;
  try {
    for (const span of ahead) await list(span);
  } catch (error) {
    if (!(error instanceof AuthorityCallError && isRefusedByAuthority(error))) throw error;
    aheadRefused = error.message;
  }
  return { registrations: [...found.values()], aheadRefused };
}
