import type { Edb } from '../../../src/domain/accounts/edb.ts';
import type { Call, Reply } from '../replica/front.ts';
import type { Replica } from '../replica/replica.ts';
import type { Taxpayer } from '../world/taxpayers.ts';

/** A broken promise, with the moment it was noticed. */
export type Violation = { readonly promise: string; readonly facts: string };

/** One body under one idempotency key, however often it was sent. */
/** One replica, and the time until a call is there. */
export type Way = { readonly replica: Replica; readonly ms: number };

export type Submission = {
  /** Shared by those that are sent together; otherwise each call has its own. */
  readonly way?: Way;
  readonly taxpayer: Taxpayer;
  readonly key: string;
  readonly number: string;
  readonly body: Buffer;
  readonly firstSentAt: number;
  /** How the clocks of the replicas stood while they had its calls. */
  readonly clocks: number[];
  /** The documents that its answers named, and the time of the first such answer by the clock of the replica that gave it. */
  readonly answered: Map<string, number>;
};

/** A call that was made, and what its caller knows of its outcome. */
export type MadeCall = {
  readonly taxpayer: Taxpayer;
  readonly call: Call;
  readonly replica: string;
  readonly at: number;
  /** What the server answered, whether or not the client got it; null when it did not get so far. */
  reply: Reply | null;
};

/** What the clients know: every promise is held against it. */
export type Model = {
  readonly submissions: Submission[];
  readonly calls: MadeCall[];
  /** How many calls are on their way or being answered, also those whose clients have given up. */
  callsUnderWay: number;
  /** By how much the authority's clock was ahead at most: a process that is as wrong cannot know it, and forgets keys so much earlier. */
  authorityAheadMs: number;
  /** Documents whose cancellation was answered with 200. */
  readonly cancelled: Set<string>;
  /** Requests whose audit entries could not be stored and are in the log. */
  readonly loggedEntries: Set<string>;
  /** Registrations whose answers have reached a process. */
  readonly toldRegistrations: { readonly replica: string; readonly euid: string }[];
  /** Inbound documents that were acknowledged. */
  readonly acknowledged: Set<string>;
  readonly violations: Violation[];
  readonly violate: (promise: string, facts: string) => void;
  readonly documentsOf: (tenant: Edb) => readonly string[];
};

export function createModel(): Model {
  const submissions: Submission[] = [];
  const violations: Violation[] = [];
  const seen = new Set<string>();
  return {
    submissions,
    calls: [],
    callsUnderWay: 0,
    authorityAheadMs: 0,
    cancelled: new Set(),
    loggedEntries: new Set(),
    toldRegistrations: [],
    acknowledged: new Set(),
    violations,
    violate(promise, facts) {
      // Noticed again after every event, a violation is still one.
      if (seen.has(`${promise} ${facts}`)) return;
      seen.add(`${promise} ${facts}`);
      violations.push({ promise, facts });
    },
    documentsOf: (tenant) =>
      submissions.filter(({ taxpayer }) => taxpayer.edb === tenant).flatMap(({ answered }) => [...answered.keys()]),
  };
}
