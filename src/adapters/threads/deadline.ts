import { ServiceUnavailable } from '../../application/errors/service-unavailable.ts';
import type { Timers } from '../../application/ports/platform.ts';

/**
 * Whoever has no result within the time gets ServiceUnavailable. The work is told by the signal, so that it does not begin any more;
 * what hangs goes on until it ends.
 */
export function withDeadline<Result>(
  timers: Pick<Timers, 'after'>,
  { of, timeoutMs }: { readonly of: string; readonly timeoutMs: number },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController();
  return new Promise<Result>((resolve, reject) => {
    const timer = timers.after(timeoutMs, () => {
      const error = new ServiceUnavailable(`${of} did not answer within ${timeoutMs} ms.`);
      deadline.abort(error);
      reject(error);
    });
    work(deadline.signal)
      .then(resolve, reject)
      .finally(() => timer.cancel());
  });
}
