import type { Clock, Platform, Timer, Timers } from '../../../src/application/ports/platform.ts';
import type { Chance } from '../world/chance.ts';
import type { VirtualTime } from '../world/virtual-time.ts';

/** A wall clock that may be wrong. */
export type FaultyClock = Clock & {
  /** From now on it is so much ahead of the true time. */
  readonly setOffset: (ms: number) => void;
  readonly standStill: () => void;
  readonly goOn: () => void;
  /** Called whenever it was set; what is returned ends that. */
  readonly onSet: (note: () => void) => () => void;
};

export function createFaultyClock(time: VirtualTime): FaultyClock {
  let offset = 0;
  let stoodStillAt: number | null = null;
  const notes = new Set<() => void>();
  const now = () => stoodStillAt ?? time.now() + offset;
  return {
    now,
    setOffset(ms) {
      offset = ms;
      if (stoodStillAt !== null) stoodStillAt = time.now() + offset;
      for (const note of notes) note();
    },
    onSet(note) {
      notes.add(note);
      return () => void notes.delete(note);
    },
    standStill() {
      stoodStillAt = now();
    },
    goOn() {
      if (stoodStillAt !== null) offset = stoodStillAt - time.now();
      stoodStillAt = null;
    },
  };
}

/** One life of a process: after a crash nothing of it happens any more, while it is paused everything of it waits. */
export type Life = {
  readonly isOver: () => boolean;
  readonly end: () => void;
  readonly pauseUntil: (moment: number) => void;
  readonly pausedUntil: () => number;
  /** Runs what the process does at that moment, if it lives then and is not paused. */
  readonly after: (ms: number, run: () => void) => Timer;
  /** The same for a look for work. */
  readonly look: (ms: number, run: () => void) => Timer;
};

export function createLife(time: VirtualTime): Life {
  let isOver = false;
  let pausedUntil = 0;
  /** A process that stood still does at once what was due meanwhile. */
  const alive = (run: () => void) => () => {
    if (isOver) return;
    if (pausedUntil > time.now()) time.after(pausedUntil - time.now(), alive(run));
    else run();
  };
  return {
    isOver: () => isOver,
    end() {
      isOver = true;
    },
    pauseUntil(moment) {
      pausedUntil = Math.max(pausedUntil, moment);
    },
    pausedUntil: () => pausedUntil,
    after: (ms, run) => time.after(ms, alive(run)),
    look: (ms, run) => time.look(ms, alive(run)),
  };
}

/** Time and chance as one process sees them. */
export function replicaPlatform(time: VirtualTime, life: Life, clock: Clock, chance: Chance): Platform {
  const timers: Timers = {
    elapsedMs: () => time.now(),
    after: (ms, run, options) => (options?.keepsProcess === false ? life.look : life.after)(ms, run),
    every(ms, run) {
      let timer = life.look(ms, repeat);
      function repeat(): void {
        timer = life.look(ms, repeat);
        run();
      }
      return { cancel: () => timer.cancel() };
    },
    pause: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return void reject(signal.reason);
        const timer = life.after(ms, resolve);
        signal?.addEventListener('abort', () => {
          timer.cancel();
          reject(signal.reason);
        });
      }),
    nextTurn: () => new Promise((resolve) => void life.after(0, resolve)),
  };
  return { clock, timers, random: chance.of('bytes').random };
}
