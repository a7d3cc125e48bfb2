import type { Clock, Storage } from './ports.ts';

const AT_A_TIME = 1_000;

export type ForgetSubmissions = () => Promise<number>;

/** Clears away idempotency keys whose hour is over, in small steps that hold nobody up. */
export function forgetSubmissions({
  storage,
  clock,
}: {
  readonly storage: Storage;
  readonly clock: Clock;
}): ForgetSubmissions {
  return async () => {
    let forgotten = 0;
    for (;;) {
      const step = await storage.transaction((tx) => tx.submissions.forgetExpired(clock.now(), AT_A_TIME));
      forgotten += step;
      if (step < AT_A_TIME) return forgotten;
    }
  };
}
