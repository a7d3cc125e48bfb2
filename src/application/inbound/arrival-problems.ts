import type { Edb } from '../../domain/accounts/edb.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import {
  type ArrivalProblem,
  arrivalPauseMs,
  isArrivalWaiting,
  isRowSubject,
  listedWindow,
} from '../../domain/documents/arrival-problem.ts';
import { isEuid } from '../../domain/documents/euid.ts';
import { shortText } from '../../domain/values/one-line-text.ts';
import { AuthorityCallError } from '../ports/authority.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { writeInEnvironment } from './write-in-environment.ts';

/** What happened to an arrival or to a collection, for the log and the metrics. */
export type CollectionEvent = {
  readonly outcome: 'stored' | 'unreadable' | 'failed' | 'resolved';
  readonly tenant: Tenant;
  readonly subject: string;
  readonly reason: string | null;
  /** Whether the operator has to hear of it: a problem that is new, has another cause, or is over. */
  readonly isNews: boolean;
  readonly error?: unknown;
};

type Needs = {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly report: (event: CollectionEvent) => void;
};

/** The problems of one tenant's arrivals during a run. */
export type ArrivalProblems = {
  /** Whether the subject failed before and its pause is not over. */
  readonly isWaiting: (subject: string) => boolean;
  /** How often in a row the subject has failed. */
  readonly failuresOf: (subject: string) => number;
  /** EUIDs that are to be asked for again, whether or not a list still names them. */
  readonly due: () => readonly string[];
  /** Of the windows whose list is to be asked for again, the one that has been due the longest; null where there is none. */
  readonly dueWindow: () => number | null;
  /** When the next of them is to be asked for again, documents and lists; null where there is none. */
  readonly nextDueAt: () => number | null;
  readonly fail: (subject: string, error: unknown) => Promise<void>;
  /** For what is no failure of a call: the reason is the whole message. */
  readonly note: (subject: string, cause: string, reason: string) => Promise<void>;
  readonly resolve: (subject: string) => Promise<void>;
  /** Rows of lists have no identity of their own: one that has not been seen for a day is gone. */
  readonly forgetOldRows: () => Promise<void>;
};

const DAY_MS = 86_400_000;
const MAX_REASON_LENGTH = 1_000;

export async function openArrivalProblems(needs: Needs, tenant: Tenant): Promise<ArrivalProblems> {
  const { storage, clock, report } = needs;
  const { edb } = tenant;
  const problems = new Map((await storage.arrivalProblems.list(edb)).map((problem) => [problem.subject, problem]));

  /** False where the certificate was removed meanwhile: nobody asks again for what stands in the way then. */
  async function save(problem: ArrivalProblem): Promise<boolean> {
    const isSaved = await writeInEnvironment(storage, tenant, async (tx) => {
      if (!(await hasCertificate(tx, edb))) return false;
      await tx.arrivalProblems.save(edb, problem);
      return true;
    });
    if (isSaved) problems.set(problem.subject, problem);
    return isSaved;
  }

  async function record(subject: string, cause: string, reason: string, error?: unknown): Promise<void> {
    const now = clock.now();
    const previous = problems.get(subject);
    const failures = (previous?.failures ?? 0) + 1;
    const isSaved = await save({
      subject,
      cause,
      reason: shortText(reason, MAX_REASON_LENGTH),
      since: previous?.since ?? now,
      failures,
      dueAt: now + arrivalPauseMs(failures),
      seenAt: now,
      docUid: null,
    });
    if (isSaved) report({ outcome: 'failed', tenant, subject, reason, isNews: previous?.cause !== cause, error });
  }

  return {
    isWaiting(subject) {
      const problem = problems.get(subject);
      return problem !== undefined && isArrivalWaiting(problem, clock.now());
    },
    failuresOf: (subject) => problems.get(subject)?.failures ?? 0,
    due: () =>
      [...problems.values()].flatMap((problem) => {
        const isDue = problem.dueAt !== null && !isArrivalWaiting(problem, clock.now());
        return isDue && isEuid(problem.subject) ? [problem.subject] : [];
      }),
    dueWindow() {
      const due = [...problems.values()]
        .filter((problem) => problem.dueAt !== null && !isArrivalWaiting(problem, clock.now()))
        .toSorted((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0));
      return due.map(({ subject }) => listedWindow(subject)).find((window) => window !== null) ?? null;
    },
    nextDueAt() {
      const times = [...problems.values()].flatMap(({ subject, dueAt }) =>
        dueAt !== null && (isEuid(subject) || listedWindow(subject) !== null) ? [dueAt] : [],
      );
      return times.length === 0 ? null : Math.min(...times);
    },
    fail: (subject, error) => record(subject, causeOf(error), reasonOf(error), error),
    note: record,
    async resolve(subject) {
      const problem = problems.get(subject);
      if (problem === undefined) return;
      await storage.transaction(async (tx) => {
        await tx.arrivalProblems.remove(edb, subject);
        // Whatever stood in its way, a missing right or a failing service, probably does not stand in the way of the others any more.
        await tx.arrivalProblems.makeDue(edb, problem.cause, clock.now());
      });
      problems.delete(subject);
      report({ outcome: 'resolved', tenant, subject, reason: problem.reason, isNews: true });
    },
    async forgetOldRows() {
      const old = [...problems.values()].filter(
        ({ subject, seenAt }) => isRowSubject(subject) && clock.now() - seenAt > DAY_MS,
      );
      for (const { subject } of old) {
        await storage.transaction((tx) => tx.arrivalProblems.remove(edb, subject));
        problems.delete(subject);
      }
    },
  };
}

async function hasCertificate({ credentials }: Pick<Storage, 'credentials'>, edb: Edb): Promise<boolean> {
  return (await credentials.find(edb)) !== null;
}

function causeOf(error: unknown): string {
  if (!(error instanceof AuthorityCallError)) return 'service';
  return error.errors[0]?.code ?? error.kind;
}

function reasonOf(error: unknown): string {
  if (error instanceof AuthorityCallError) return error.message;
  return `The service failed on it: ${error instanceof Error ? error.message : String(error)}`;
}
