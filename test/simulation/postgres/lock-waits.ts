import type pg from 'pg';

/** Who waits for whom, by process identifiers; and since when, so that two waits are not taken for one. */
export type LockWait = { readonly since: string; readonly blockers: readonly number[] };

export type LockWaits = ReadonlyMap<number, LockWait>;

const LOCK_WAITS = `
  select pid, pg_blocking_pids(pid) as blockers,
    (select cast(min(waitstart) as text) from pg_locks where pg_locks.pid = asked.pid and not granted) as since
  from unnest(cast($1 as integer[])) as asked (pid)`;

type Row = { readonly pid: number; readonly blockers: readonly number[]; readonly since: string | null };

/** Asks the server which of the sessions wait for a lock at this moment. */
export async function readLockWaits(control: pg.Client, pids: readonly number[]): Promise<LockWaits> {
  const { rows } = await control.query<Row>(LOCK_WAITS, [pids]);
  return new Map(
    rows.flatMap(({ pid, blockers, since }) =>
      blockers.length === 0 || since === null ? [] : [[pid, { since, blockers }] as const],
    ),
  );
}

/**
 * Those of the running sessions that will wait until another one ends its transaction: whoever blocks them does not run, or waits in the
 * same way. A session that is blocked by a running one may go on at any moment.
 */
export function blockedForGood(
  waits: LockWaits,
  running: ReadonlySet<number>,
  known: ReadonlySet<number>,
): Set<number> {
  const blocked = new Set([...waits.keys()].filter((pid) => running.has(pid)));
  for (let before = -1; before !== blocked.size; ) {
    before = blocked.size;
    for (const pid of blocked) {
      const blockers = waits.get(pid)?.blockers ?? [];
      const areAtRest = blockers.every(
        (blocker) => known.has(blocker) && (!running.has(blocker) || blocked.has(blocker)),
      );
      if (!areAtRest) blocked.delete(pid);
    }
  }
  return blocked;
}

/** Sessions that wait for one another in a circle; empty when there is none. */
export function deadlock(waits: LockWaits): readonly number[] {
  for (const start of waits.keys()) {
    const circle = pathBack(waits, start, start, new Set());
    if (circle !== null) return circle;
  }
  return [];
}

function pathBack(waits: LockWaits, from: number, to: number, seen: Set<number>): readonly number[] | null {
  for (const blocker of waits.get(from)?.blockers ?? []) {
    if (blocker === to) return [from];
    if (seen.has(blocker)) continue;
    seen.add(blocker);
    const rest = pathBack(waits, blocker, to, seen);
    if (rest !== null) return [from, ...rest];
  }
  return null;
}
