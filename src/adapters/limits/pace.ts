import { ServiceStopping } from '../../application/errors/service-unavailable.ts';
import { type Leave, NoTurnInTime, type Pace } from '../../application/ports/pace.ts';
import type { Clock, Timers } from '../../application/ports/platform.ts';
import type { Storage } from '../../application/ports/storage/storage.ts';
import type { RequestKind } from '../../domain/accounts/request-line.ts';
import { message } from '../../domain/messages/message.ts';
import { inEnglish } from '../../domain/messages/render.ts';
import { giveNextTurn, type User } from './give-next-turn.ts';
import { createWaitingLine, type Waiter, type WaitingLine } from './waiting-line.ts';

type Needs = {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Minimum time between two requests of one user; 0 for no limit. */
  readonly intervalMs: number;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  /** Aborted when a stop waits no longer, also for what must complete. */
  readonly cutOff: AbortSignal;
};

/** Nobody waits for an answer to a dry run any longer. */
export const MOST_WAIT_OF_DRY_RUNS_MS = 15_000;
/** For one request of an account check. Its turn comes sooner, unless others make checks for the same user. */
const MOST_WAIT_OF_CHECKS_MS = 60_000;

/**
 * The authority's limit per user applies to all processes together, so who is next is decided in the database. Nobody reserves a turn
 * in advance: it is given when it is due, to the most urgent request that waits then. A user may be an accountant with hundreds
 * of tenants, and a document of one must not wait for the statuses of all others.
 */
export function createPace({
  storage,
  clock,
  timers,
  intervalMs,
  stopping,
  cutOff,
}: Needs): Readonly<Record<RequestKind, Pace>> {
  const lines = new Map<string, WaitingLine>();
  const giveTurn = giveNextTurn({ storage, clock, timers, intervalMs });

  /** Ends when nothing waits any more, in the same step as the line is forgotten: a request that comes later begins anew. */
  async function giveTurns(name: string, user: User, line: WaitingLine): Promise<void> {
    try {
      while (!line.isEmpty()) {
        const askAt = await giveTurn(user, line);
        // Never longer than until a process would be taken for dead: the clock may have been set back meanwhile.
        await line.sleep(Math.min(askAt - clock.now(), intervalMs));
      }
    } catch (error) {
      for (const waiter of line.takeAll()) waiter.refuse(error);
    } finally {
      lines.delete(name);
    }
  }

  function join(user: User, kind: RequestKind, waiter: Waiter): WaitingLine {
    const name = `${user.environment} ${user.eujpId}`;
    const existing = lines.get(name);
    const line = existing ?? createWaitingLine(timers);
    line.push(kind, waiter);
    if (existing === undefined) {
      lines.set(name, line);
      void giveTurns(name, user, line);
    }
    return line;
  }

  function waitForTurn(kind: RequestKind, user: User, signal: AbortSignal): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const left = Promise.withResolvers<number>();
      const waiter: Waiter = {
        admit() {
          signal.removeEventListener('abort', withdraw);
          resolve(() => left.resolve(clock.now()));
          return left.promise;
        },
        refuse(reason) {
          signal.removeEventListener('abort', withdraw);
          reject(reason);
        },
      };
      function withdraw(): void {
        line.remove(kind, waiter);
        reject(signal.reason instanceof NoTurnInTime ? signal.reason : new ServiceStopping());
      }
      signal.addEventListener('abort', withdraw, { once: true });
      const line = join(user, kind, waiter);
    });
  }

  function paceOf(kind: RequestKind, longestMs: number | null = null): Pace {
    return {
      async turn({ environment, eujpId }, { mustComplete = false } = {}) {
        const signal = mustComplete ? cutOff : stopping;
        if (signal.aborted) throw new ServiceStopping();
        if (intervalMs === 0 || eujpId === null) return () => undefined;
        const user = { environment, eujpId };
        if (longestMs === null) return waitForTurn(kind, user, signal);
        return withinTime(timers, longestMs, stopping, (given) => waitForTurn(kind, user, given));
      },
    };
  }

  return {
    send: paceOf('send'),
    container: paceOf('container'),
    collect: paceOf('collect'),
    follow: paceOf('follow'),
    lists: paceOf('lists'),
    'dry-run': paceOf('dry-run', MOST_WAIT_OF_DRY_RUNS_MS),
    check: paceOf('check', MOST_WAIT_OF_CHECKS_MS),
  };
}

/** A wait that ends after a time, or when the service stops. */
async function withinTime(
  timers: Timers,
  longestMs: number,
  stopping: AbortSignal,
  wait: (signal: AbortSignal) => Promise<Leave>,
): Promise<Leave> {
  const late = new AbortController();
  const timer = timers.after(longestMs, () => {
    late.abort(new NoTurnInTime(inEnglish(message('no-turn-in-time'))));
  });
  try {
    return await wait(AbortSignal.any([late.signal, stopping]));
  } finally {
    timer.cancel();
  }
}
