import { NoTurnInTime } from '../../../application/ports/pace.ts';
import type { Timers } from '../../../application/ports/platform.ts';
import type { DryRun, DryRunResult } from '../../../application/ports/validation/dry-run.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import { createSemaphore, type Semaphore } from '../../threads/semaphore.ts';
import type { Converter } from './converter.ts';
import type { LookUpContext } from './look-up-context.ts';

type Needs = {
  readonly converter: Pick<Converter, 'open'>;
  readonly lookUpContext: LookUpContext;
  readonly timers: Timers;
  /** How long a client waits for what has to be asked at the authority. */
  readonly longestMs: number;
};

/** Those that nobody waits for any more included, which fill the caches for the next one. */
const MOST_AT_ONCE = 2;

/** Nothing is sent, so nothing of it reaches the authority. */
const NO_DOC_ID = '';

/** Rehearses the preparation of documents, a few at a time for each tenant and each within a bounded time. */
export function createDryRun({ converter, lookUpContext, timers, longestMs }: Needs): DryRun {
  const semaphores = new Map<Edb, Semaphore>();

  async function inTurn(tenant: Edb, work: () => Promise<DryRunResult>, signal: AbortSignal): Promise<DryRunResult> {
    const semaphore = semaphores.get(tenant) ?? createSemaphore(MOST_AT_ONCE);
    semaphores.set(tenant, semaphore);
    try {
      return await semaphore.run(tenant, work, signal);
    } finally {
      if (semaphore.isIdle()) semaphores.delete(tenant);
    }
  }

  return async (tenant, content, findEarlier, refusedOn) => {
    const timeIsUp = new AbortController();
    const late = Promise.withResolvers<never>();
    const timer = timers.after(longestMs, () => {
      const error = new NoTurnInTime('The look-ups of a dry run took too long');
      timeIsUp.abort(error);
      late.reject(error);
    });
    async function work(): Promise<DryRunResult> {
      const document = await converter.open(tenant.edb, content);
      const context = await lookUpContext(tenant, NO_DOC_ID, document.needed, findEarlier);
      return document.rehearse({ ...context, leftOutReferences: null, refusesReferences: refusedOn });
    }
    try {
      return await Promise.race([inTurn(tenant.edb, work, timeIsUp.signal), late.promise]);
    } finally {
      timer.cancel();
    }
  };
}
