import type { Tenant } from '../../domain/accounts/tenant.ts';
import { euidTime } from '../../domain/documents/euid.ts';
import { type DaySpan, daySpans, daysAfter, skopjeDay } from '../../domain/values/skopje-day.ts';
import { AuthorityCallError, type CallErrorKind, isRefusedByAuthority } from '../ports/authority.ts';
import type { Clock } from '../ports/platform.ts';
import type { AuthorityRegister, ListedRegistration } from '../ports/recovery/authority-register.ts';
import { failureOf, OF_THE_ACCOUNT, tryEach } from './tries.ts';

type Needs = { readonly register: Pick<AuthorityRegister, 'registeredBetween'>; readonly clock: Clock };

export type Comparison = {
  readonly since: number;
  /** Whether the tenant before it in its environment was compared: then it is not asked first whether the authority answers at all. */
  readonly hasAnswered: boolean;
};

type RegisteredSince = {
  /** Of those days that could be listed. */
  readonly registrations: readonly ListedRegistration[];
  /** Why not all days could be listed; null where all were. */
  readonly failure: string | null;
  /** Why the authority lists no days to come; null where it does. */
  readonly aheadRefused: string | null;
};

/** The authority lists by the date of the document, which may be so much earlier or later than the day on which it was sent. */
const DATED_APART_DAYS = 62;
/** It lists a month at most, and February has 28 days. */
const LISTED_DAYS = 28;
const MOST_FAILURES_IN_A_ROW = 3;
/** It would be so with every list: the account is refused, or nothing comes at all, which costs the whole time limit each time. */
const ENDS_ALL: ReadonlySet<CallErrorKind> = new Set(['unreachable', 'timeout', ...OF_THE_ACCOUNT]);
/** By so much the authority's clock may be behind ours. */
const MARGIN_MS = 3_600_000;

/**
 * By the time that an EUID carries; one that carries none is compared as well. Days to come are asked for by themselves: an authority that lists
 * none of them must not keep the others from being compared, or the hold would never end. Nor do weeks whose list fails, although the comparison
 * has failed then: whoever ends the hold all the same has the numbers of the others taken.
 */
export async function registeredSince(
  { register, clock }: Needs,
  tenant: Tenant,
  { since, hasAnswered }: Comparison,
  progress: (done: number, total: number) => void,
): Promise<RegisteredSince> {
  const found = new Map<string, ListedRegistration>();
  const today = skopjeDay(clock.now());
  const tomorrow = daysAfter(today, 1);
  const usual = daySpans(daysAfter(skopjeDay(since), -DATED_APART_DAYS), tomorrow, LISTED_DAYS);
  const ahead = daySpans(daysAfter(tomorrow, 1), daysAfter(today, DATED_APART_DAYS), LISTED_DAYS);
  // The newest last: they are asked for also where the authority fails on the days to come, and on the oldest.
  const spans = [...ahead, ...usual];
  let done = 0;

  async function list({ from, to }: DaySpan): Promise<void> {
    for (const one of await register.registeredBetween(tenant, from, to)) {
      const at = euidTime(one.registration.euid);
      if (at === null || at >= since - MARGIN_MS) found.set(one.registration.euid.toLowerCase(), one);
    }
  }

  progress(0, spans.length);
  // Weeks that do not come in time are asked for in ever smaller parts, for minutes where nothing is answered. A single day shows that at once.
  const silence = hasAnswered ? null : await failureOf(list({ from: today, to: today }));
  if (silence !== null && ENDS_ALL.has(silence.kind)) {
    return { registrations: [], failure: silence.message, aheadRefused: null };
  }
  let aheadRefused: string | null = null;
  const tried = await tryEach(spans, MOST_FAILURES_IN_A_ROW, async (span) => {
    const isAhead = span.from > tomorrow;
    if (isAhead && aheadRefused !== null) return;
    progress(done, spans.length);
    done += 1;
    try {
      await list(span);
    } catch (error) {
      if (!isAhead || !(error instanceof AuthorityCallError && isRefusedByAuthority(error))) throw error;
      aheadRefused = error.message;
    }
  });
  return { registrations: [...found.values()], failure: failureIn(tried, spans.length), aheadRefused };
}

function failureIn({ failed, untried }: Awaited<ReturnType<typeof tryEach<DaySpan>>>, all: number): string | null {
  const [first] = failed;
  if (first === undefined) return null;
  if (failed.length + untried.length === all) return first.error.message;
  const left = [...failed.map(({ item }) => item), ...untried].toSorted((one, other) =>
    one.from < other.from ? -1 : 1,
  );
  const joined: DaySpan[] = [];
  for (const span of left) {
    const last = joined.at(-1);
    if (last !== undefined && daysAfter(last.to, 1) === span.from)
      joined.splice(-1, 1, { from: last.from, to: span.to });
    else joined.push(span);
  }
  const spans = joined.map(({ from, to }) => `${from} to ${to}`).join(', ');
  return `${first.error.message}; not compared: documents dated ${spans}`;
}
