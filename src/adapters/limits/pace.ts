import { setTimeout as pause } from 'node:timers/promises';
import { ServiceStopping } from '../../application/errors/service-stopping.ts';
import type { Pace } from '../../application/ports/authority.ts';
import type { Clock } from '../../application/ports/platform.ts';
import type { Storage } from '../../application/ports/storage/storage.ts';
import { createSemaphore, type Semaphore } from '../threads/semaphore.ts';
import { createUrgentFirstQueue, type Urgency } from './urgent-first-queue.ts';

type Needs = {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly clock: Clock;
  /** Minimum time between two requests of one user; 0 for no limit. */
  readonly intervalMs: number;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
};

/**
 * Reserves time slots in the database, because the authority's limit per user applies to all processes together. Within this
 * process only the first of a user's requests reserves one, so that urgent requests overtake most background work: a user may be an
 * accountant with hundreds of tenants, and the container of one must not wait for the statuses of all others.
 */
export function createPace({ storage, clock, intervalMs, stopping }: Needs): Readonly<Record<Urgency, Pace>> {
  const semaphores = new Map<string, Semaphore<Urgency>>();

  async function oneAtATime(user: string, urgency: Urgency, signal: AbortSignal | null, work: () => Promise<void>) {
    const semaphore = semaphores.get(user) ?? createSemaphore(1, createUrgentFirstQueue());
    semaphores.set(user, semaphore);
    try {
      await semaphore.run(urgency, work, signal);
    } finally {
      if (semaphore.isIdle()) semaphores.delete(user);
    }
  }

  function paceOf(urgency: Urgency): Pace {
    return {
      async turn({ environment, eujpId }, { mustComplete = false } = {}) {
        const signal = mustComplete ? null : stopping;
        if (signal?.aborted === true) throw new ServiceStopping();
        if (intervalMs === 0 || eujpId === null) return;
        const turn = oneAtATime(`${environment} ${eujpId}`, urgency, signal, async () => {
          const turnAt = await storage.transaction((tx) =>
            tx.pace.reserve(environment, eujpId, clock.now(), intervalMs),
          );
          const waitMs = turnAt - clock.now();
          if (waitMs > 0) await pause(waitMs, undefined, signal === null ? {} : { signal });
        });
        await turn.catch((error: unknown) => {
          throw signal?.aborted === true ? new ServiceStopping() : error;
        });
      },
    };
  }

  return { urgent: paceOf('urgent'), background: paceOf('background') };
}
