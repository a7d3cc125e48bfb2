import type { Chance } from './chance.ts';

export type Scheduled = { readonly cancel: () => void };

/** The only time there is in a history: it leaps from event to event. */
export type VirtualTime = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => Scheduled;
  /**
   * The same for a look for work. A timer may be late on any machine: while nothing happens such a look is, the later the longer nothing
   * has happened, so that a pause of a day takes a few events instead of a million. When something happens it is on time again.
   */
  readonly look: (ms: number, run: () => void) => Scheduled;
  /** Something happened that is more than a look for work. */
  readonly stir: () => void;
  /** How often something did. */
  readonly stirs: () => number;
  /** Runs events until there is none before that moment, or `isOver` says so. */
  readonly runUntil: (moment: number, isOver?: () => boolean) => Promise<void>;
  readonly eventCount: () => number;
};

/** The factor by which a look for work is late at most while things happen. */
const MOST_LATE = 24;

export type Pace = {
  /** Resolves when nothing can happen before the next event. */
  readonly settle?: () => Promise<void>;
  /** Another such factor while things happen, where a look costs more. */
  readonly mostLate?: number;
};

type Look = { readonly ms: number; readonly run: () => void; scheduled: Scheduled };

type Event = { readonly at: number; readonly order: number; readonly run: () => void; isCancelled: boolean };

/** Events of the same moment happen in an order that the seed decides. Between two events everything runs that can. */
export function createVirtualTime(
  start: number,
  chance: Chance,
  { settle = everythingThatCanRun, mostLate = MOST_LATE }: Pace = {},
): VirtualTime {
  const events: Event[] = [];
  let now = start;
  let stirredAt = start;
  let count = 0;
  let stirs = 0;

  function after(ms: number, run: () => void): Scheduled {
    const event: Event = { at: now + Math.max(0, Math.ceil(ms)), order: chance.fraction(), run, isCancelled: false };
    push(events, event);
    return {
      cancel() {
        event.isCancelled = true;
      },
    };
  }

  const looks = new Set<Look>();

  function look(ms: number, run: () => void): Scheduled {
    const waiting: Look = {
      ms,
      run() {
        looks.delete(waiting);
        run();
      },
      scheduled: { cancel: () => undefined },
    };
    const quietMs = now - stirredAt;
    // While nothing happens looks become rarer by themselves, and what is due must still be done in its time.
    const lateMs = quietMs > ms ? quietMs * chance.span(1, MOST_LATE) : ms * chance.span(1, mostLate);
    waiting.scheduled = after(lateMs, waiting.run);
    looks.add(waiting);
    return {
      cancel() {
        looks.delete(waiting);
        waiting.scheduled.cancel();
      },
    };
  }

  function stir(): void {
    const quietMs = now - stirredAt;
    stirredAt = now;
    stirs += 1;
    for (const waiting of looks) {
      if (waiting.ms >= quietMs) continue;
      waiting.scheduled.cancel();
      waiting.scheduled = after(waiting.ms * chance.span(1, mostLate), waiting.run);
    }
  }

  return {
    now: () => now,
    after,
    look,
    stir,
    stirs: () => stirs,
    async runUntil(moment, isOver = () => false) {
      while (!isOver()) {
        const next = events[0];
        if (next === undefined || next.at > moment) break;
        pop(events);
        if (next.isCancelled) continue;
        now = next.at;
        count += 1;
        next.run();
        await settle();
      }
      now = Math.max(now, Math.min(moment, events[0]?.at ?? moment));
    },
    eventCount: () => count,
  };
}

/** Promises and ticks run before the event loop turns. Whatever waits for input from outside has a `settle` of its own. */
export function everythingThatCanRun(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** A binary heap: the first event is the next one. */
function push(heap: Event[], event: Event): void {
  let at = heap.push(event) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as Event;
    if (isBefore(above, event)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
    const below = right !== undefined && left !== undefined && isBefore(right, left) ? right : left;
    if (below === undefined || isBefore(last, below)) break;
    heap[at] = below;
    at = below === right ? 2 * at + 2 : 2 * at + 1;
  }
  heap[at] = last;
}
