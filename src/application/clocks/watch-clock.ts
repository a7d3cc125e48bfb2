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
  /** Compares now. `unknown` while the authority does not answer: the clock of the database may be that of the same machine. */
  readonly check: () => Promise<'right' | 'wrong' | 'unknown'>;
  /** Whether anything was compared yet, and our clock was not found to be wrong. */
  readonly isTrusted: () => boolean;
  readonly problem: () => ClockProblem | null;
  /** By how much ours is ahead of each clock that answered last; negative where it is behind. */
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
  let hasLooked = false;

  async function compare({ name, clock, limitMs, time }: ClockReference): Promise<void> {
    try {
      const before = clock.now();
      const theirs = await time();
      const after = clock.now();
      // After a long wait nobody knows which of our times is theirs.
      if (Math.abs(after - before) / 2 > limitMs) offsets.delete(name);
      else offsets.set(name, Math.round((before + after) / 2 - theirs));
    } catch {
      // Whoever cannot be reached says nothing about our clock, and what needs the same neighbour reports that it fails.
      offsets.delete(name);
    }
  }

  function update(): void {
    const found = problemOf(references, offsets);
    const isNews = (found === null) !== (problem === null);
    problem = found;
    if (isNews) onChange(found);
  }

  async function compareAll(): ReturnType<ClockWatch['check']> {
    const comparisons = references.map(async (reference) => {
      await compare(reference);
      update();
      // The first that answers is enough to begin with; another one may take long.
      hasLooked ||= offsets.size > 0;
    });
    await Promise.all(comparisons);
    hasLooked = true;
    if (problem !== null) return 'wrong';
    return references.some(({ name, group }) => group === 'authority' && offsets.has(name)) ? 'right' : 'unknown';
  }

  let checking: ReturnType<ClockWatch['check']> | null = null;
  return {
    check() {
      checking ??= compareAll().finally(() => {
        checking = null;
      });
      return checking;
    },
    isTrusted: () => hasLooked && problem === null,
    problem: () => problem,
    offsetsMs: () => offsets,
  };
}

/** The database counts by itself. An installation of the authority may have a wrong clock of its own while another one agrees. */
function problemOf(references: readonly ClockReference[], offsets: ReadonlyMap<string, number>): ClockProblem | null {
  for (const group of ['database', 'authority'] as const) {
    const answered = references.flatMap(({ name, group: of, limitMs }) => {
      const offsetMs = offsets.get(name);
      return of === group && offsetMs !== undefined ? [{ reference: name, offsetMs, limitMs }] : [];
    });
    const [first] = answered;
    if (first !== undefined && answered.every(({ offsetMs, limitMs }) => Math.abs(offsetMs) > limitMs)) return first;
  }
  return null;
}
