import type { Clock } from '../ports/platform.ts';

/** Another clock, which ours is compared with. */
export type ClockReference = {
  readonly name: string;
  /** The installations of the authority are of one group: when they differ, the one that agrees with us counts. */
  readonly group: 'authority' | 'database';
  readonly limitMs: number;
  /** Ours: that of the service, or of the machine. */
  readonly clock: Clock;
  readonly time: () => Promise<number>;
};

/** Why a clock is not trusted. */
export type ClockProblem = { readonly reference: string; readonly offsetMs: number; readonly limitMs: number };

export type ClockWatch = {
  /**
   * Compares now, or after the comparison that is under way: a clock may have been set since it began. `unknown` while the authority does
   * not answer: the clock of the database may be that of the same machine.
   */
  readonly check: () => Promise<'right' | 'wrong' | 'unknown'>;
  /** Whether it was compared with a clock of each group yet, and not found to be wrong. */
  readonly isTrusted: () => boolean;
  readonly problem: () => ClockProblem | null;
  /**
   * By how much ours is ahead of each clock that answered last, or that showed it to be wrong and has not answered since; negative where
   * it is behind.
   */
  readonly offsetsMs: () => ReadonlyMap<string, number>;
};

type Needs = {
  readonly references: readonly ClockReference[];
  /** Called when a clock begins to be wrong, and when it is right again (null). */
  readonly onChange: (problem: ClockProblem | null) => void;
};

/**
 * A worker with a wrong clock does harm: it expires what is not over, and what it puts off waits for a time that is far away. So it
 * stops until its clock agrees again. Nobody knows which of two clocks is wrong, and it does not matter.
 */
export function watchClock({ references, onChange }: Needs): ClockWatch {
  const offsets = new Map<string, number>();
  let problem: ClockProblem | null = null;
  const compared = new Set<ClockReference['group']>();

  /** Null where nothing can be said. */
  async function offsetTo({ clock, limitMs, time }: ClockReference): Promise<number | null> {
    try {
      const before = clock.now();
      const theirs = await time();
      const after = clock.now();
      // After a long wait nobody knows which of our times is theirs.
      return Math.abs(after - before) / 2 > limitMs ? null : Math.round((before + after) / 2 - theirs);
    } catch {
      // What needs the same neighbour reports that it fails.
      return null;
    }
  }

  /**
   * Returns whether the other clock answered. One that does not says nothing: that ours agreed with it is over, for ours may have been set
   * since, but that ours was wrong stays known until a comparison shows otherwise.
   */
  async function compare(reference: ClockReference): Promise<boolean> {
    const { name, limitMs } = reference;
    const offsetMs = await offsetTo(reference);
    if (offsetMs !== null) offsets.set(name, offsetMs);
    else if (!isBeyond(offsets.get(name) ?? 0, limitMs)) offsets.delete(name);
    return offsetMs !== null;
  }

  function update(): void {
    const found = problemOf(references, offsets);
    const isNews = (found === null) !== (problem === null);
    problem = found;
    if (isNews) onChange(found);
  }

  async function compareAll(): ReturnType<ClockWatch['check']> {
    const comparisons = references.map(async (reference) => {
      const hasAnswered = await compare(reference);
      update();
      // The first of a group that answers is enough to begin with; another one may take long.
      if (hasAnswered) compared.add(reference.group);
      return hasAnswered && reference.group === 'authority';
    });
    const isConfirmed = (await Promise.all(comparisons)).includes(true);
    for (const { group } of references) compared.add(group);
    if (problem !== null) return 'wrong';
    return isConfirmed ? 'right' : 'unknown';
  }

  let running: ReturnType<ClockWatch['check']> | null = null;
  let following: ReturnType<ClockWatch['check']> | null = null;

  function begin(): ReturnType<ClockWatch['check']> {
    following = null;
    running = compareAll().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    check() {
      if (running === null) return begin();
      following ??= running.then(() => running ?? begin());
      return following;
    },
    isTrusted: () => problem === null && references.every(({ group }) => compared.has(group)),
    problem: () => problem,
    offsetsMs: () => offsets,
  };
}

/** The database counts by itself. An installation of the authority may have a wrong clock of its own while another one agrees. */
function problemOf(references: readonly ClockReference[], offsets: ReadonlyMap<string, number>): ClockProblem | null {
  for (const group of ['database', 'authority'] as const) {
    const known = references.flatMap(({ name, group: of, limitMs }) => {
      const offsetMs = offsets.get(name);
      return of === group && offsetMs !== undefined ? [{ reference: name, offsetMs, limitMs }] : [];
    });
    const [first] = known;
    if (first !== undefined && known.every(({ offsetMs, limitMs }) => isBeyond(offsetMs, limitMs))) return first;
  }
  return null;
}

function isBeyond(offsetMs: number, limitMs: number): boolean {
  return Math.abs(offsetMs) > limitMs;
}
