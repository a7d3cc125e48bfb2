import type { Model } from '../clients/model.ts';
import type { Replica } from '../replica/replica.ts';
import type { Committed } from '../world/history-database.ts';
import type { VirtualTime } from '../world/virtual-time.ts';

type Needs = {
  readonly time: VirtualTime;
  readonly committed: Committed;
  readonly model: Model;
  readonly replicas: readonly Replica[];
  /** On a server all processes go by one clock, and turns are not looked at after each commit. */
  readonly hasServer: boolean;
};

/** The pause before the first attempt, and the longest for which a turn is given ahead, with the time that statements take. */
const MOST_AHEAD_MS = 30_000;
/** From when a process reads its clock until what it writes is committed, though it stand still in between. */
const LONGEST_WRITE_MS = 15 * 60_000;

/** What a clock that was ahead has written must not delay what is written later, by a clock that is right. */
export async function tracesOfClocks({ time, committed, model, replicas, hasServer }: Needs): Promise<() => void> {
  const received = await committed.watch<{ readonly doc_uid: string; readonly due_at: number }>(
    'select doc_uid, due_at from outbound where status = 10 and lease is null and due_at is not null',
  );
  const lines = await committed.watch<{ readonly line: string; readonly free_at: number; readonly waiting: string }>(
    "select environment || ' ' || eujp_id as line, free_at, waiting from pace",
  );
  const seen = new Set<string>();
  let seenVersion = -1;

  /** Whether it was not there the last time. */
  function isNew(what: string): boolean {
    if (seen.has(what)) return false;
    seen.add(what);
    return true;
  }

  function checkDocuments(latest: number): void {
    for (const { doc_uid: docUid, due_at: dueAt } of received()) {
      if (isNew(docUid) && dueAt > latest)
        model.violate('a new document is due at once', `${docUid}: ${dueAt - latest} ms later`);
    }
  }

  function checkTurns(latest: number): void {
    for (const { line, free_at: freeAt, waiting } of lines()) {
      if (isNew(`${line} ${freeAt} ${waiting}`) && freeAt > latest)
        model.violate('turns are given in their time', `${line}: ${freeAt - latest} ms later`);
    }
  }

  const aheadMs = mostAhead(time, replicas);
  return () => {
    const latest = time.now() + aheadMs() + MOST_AHEAD_MS;
    const version = committed.version();
    if (version === seenVersion) return;
    seenVersion = version;
    checkDocuments(latest);
    if (!hasServer) checkTurns(latest);
  };
}

/** By how much some clock that the service goes by was ahead of the true time, at most, when what is committed now was begun. */
function mostAhead(time: VirtualTime, replicas: readonly Replica[]): () => number {
  let samples: readonly { readonly until: number; readonly aheadMs: number }[] = [];
  return () => {
    const now = time.now();
    const aheadMs = Math.max(...replicas.map((replica) => replica.serviceTime())) - now;
    const recent = samples.filter((sample) => sample.until >= now - LONGEST_WRITE_MS && sample.aheadMs > aheadMs);
    samples = [...recent, { until: now, aheadMs }];
    return Math.max(...samples.map((sample) => sample.aheadMs));
  };
}
