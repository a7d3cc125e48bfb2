import type { Model } from '../clients/model.ts';
import type { Replica } from '../replica/replica.ts';
import type { Committed } from '../world/history-database.ts';
import type { VirtualTime } from '../world/virtual-time.ts';

type Needs = {
  readonly time: VirtualTime;
  readonly committed: Committed;
  readonly model: Model;
  readonly replicas: readonly Replica[];
};

/** The pause before the first attempt, and the longest for which a turn is given ahead, with the time that statements take. */
const MOST_AHEAD_MS = 30_000;
/** After it has gone on, a process that stood still may finish what it had begun. */
const AFTER_A_PAUSE_MS = 60_000;
/** From when a process reads its clock until what it writes is committed, though it stand still in between. */
const LONGEST_WRITE_MS = 15 * 60_000;

/**
 * What a clock that was ahead has written must not delay what is written later by a clock that is right, and what a process has claimed must be
 * its own for a while by its own clock. To be looked at after every event: it is the process that committed last whose clock counts.
 */
export async function tracesOfClocks({ time, committed, model, replicas }: Needs): Promise<() => void> {
  const received = await committed.watch<{ readonly doc_uid: string; readonly due_at: number }>(
    'select doc_uid, due_at from outbound where status = 10 and lease is null and due_at is not null',
  );
  const claimed = await committed.watch<{ readonly doc_uid: string; readonly lease: string; readonly due_at: number }>(
    'select id as doc_uid, lease, due_at from outbound where lease is not null and due_at is not null',
  );
  // On a server, where nobody is known to have written last, turns are not looked at.
  const lines =
    committed.writer === null
      ? () => []
      : await committed.watch<{ readonly line: string; readonly free_at: number; readonly waiting: string }>(
          "select environment || ' ' || eujp_id as line, free_at, waiting from pace",
        );
  const clocks = replicas.map((replica) => recentlyAhead(time, replica));
  const known = new Set<string>();
  let seen = { documents: -1, turns: -1 };

  /** Whether it was not there the last time. */
  function isNew(what: string): boolean {
    if (known.has(what)) return false;
    known.add(what);
    return true;
  }

  function checkDocuments(latest: number): void {
    for (const { doc_uid: docUid, due_at: dueAt } of received()) {
      if (isNew(docUid) && dueAt > latest)
        model.violate('a new document is due at once', `${docUid}: ${dueAt - latest} ms later`);
    }
  }

  function checkClaims(earliest: number): void {
    for (const { doc_uid: docUid, lease, due_at: dueAt } of claimed()) {
      if (isNew(`${docUid} ${lease}`) && dueAt <= earliest)
        model.violate('what is claimed is not due', `${docUid}: due ${earliest - dueAt} ms before`);
    }
  }

  function checkTurns(latest: number): void {
    for (const { line, free_at: freeAt, waiting } of lines()) {
      if (isNew(`${line} ${freeAt} ${waiting}`) && freeAt > latest)
        model.violate('turns are given in their time', `${line}: ${freeAt - latest} ms later`);
    }
  }

  return () => {
    for (const clock of clocks) clock.note();
    const { documents, turns } = committed.versions();
    const isNewDocument = documents !== seen.documents;
    const isNewTurn = turns !== seen.turns;
    if (!isNewDocument && !isNewTurn) return;
    seen = { documents, turns };
    const writer = committed.writer?.() ?? null;
    const writers = writer === null ? clocks : clocks.slice(writer, writer + 1);
    const latest = time.now() + MOST_AHEAD_MS + Math.max(...writers.map((clock) => clock.mostMs()));
    if (isNewDocument) {
      checkDocuments(latest);
      checkClaims(time.now() + Math.min(...writers.map((clock) => clock.leastMs())));
    }
    if (isNewTurn && writer !== null) checkTurns(latest);
  };
}

type Ahead = {
  /** Notes how its clock stands now. */
  readonly note: () => void;
  /** By how much it was ahead of the true time, at most, when what the process commits now was begun. */
  readonly mostMs: () => number;
  /** At least; without a limit where the process stood still in between. */
  readonly leastMs: () => number;
};

function recentlyAhead(time: VirtualTime, replica: Replica): Ahead {
  let samples: { until: number; readonly aheadMs: number }[] = [];
  function recent(): typeof samples {
    const first = samples.findIndex(({ until }) => until >= time.now() - LONGEST_WRITE_MS);
    if (first > 0) samples = samples.slice(first);
    return samples;
  }
  return {
    note() {
      const now = time.now();
      const aheadMs = replica.serviceTime() - now;
      const last = samples.at(-1);
      if (last?.aheadMs === aheadMs) last.until = now;
      else samples.push({ until: now, aheadMs });
    },
    mostMs() {
      return recent().reduce((most, sample) => Math.max(most, sample.aheadMs), Number.NEGATIVE_INFINITY);
    },
    leastMs() {
      if (replica.pausedUntil() > time.now() - AFTER_A_PAUSE_MS) return Number.NEGATIVE_INFINITY;
      return recent().reduce((least, sample) => Math.min(least, sample.aheadMs), Number.POSITIVE_INFINITY);
    },
  };
}
