import type { Logger } from 'pino';
import type { Engine } from '../../adapters/sql/engine.ts';
import { tryToWrite } from '../../adapters/sql/write-check.ts';
import { causeText } from '../../application/errors/commit-unknown.ts';
import { ServiceStopping } from '../../application/errors/service-unavailable.ts';
import { AuthorityCallError } from '../../application/ports/authority.ts';
import type { Timers } from '../../application/ports/platform.ts';

/** One line when an outage begins and one when it ends, however many attempts fail meanwhile. */
export type OutageLog = {
  readonly databaseFailed: (error: Error) => void;
  /** A request to an installation of the authority has ended; null for an answer. */
  readonly authorityCalled: (environment: string, failure: unknown) => void;
  readonly stop: () => void;
};

type Needs = {
  readonly log: Logger;
  readonly timers: Timers;
  readonly engine: Pick<Engine, 'transaction'>;
};

const LOOK_EVERY_MS = 1_000;
/** A request may fail while others succeed: so many in a row are an outage. */
const FAILURES_OF_OUTAGE = 3;
/** No answer at all, or one that is none. */
const AWAY: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'error']);

export function createOutageLog({ log, timers, engine }: Needs): OutageLog {
  const failures = new Map<string, number>();
  let endOutage: (() => void) | null = null;

  function beginOutage(error: Error): void {
    const cause = causeText(error.cause) ?? undefined;
    log.warn({ reason: error.message, cause }, 'the database cannot be used; work waits for it');
    let isLooking = false;
    const timer = timers.every(
      LOOK_EVERY_MS,
      () => {
        if (isLooking) return;
        isLooking = true;
        // A look that fails changes nothing: the failure is in the log already. What was written before the outage does not count.
        tryToWrite(engine)
          .then(() => {
            if (endOutage === null) return;
            endOutage();
            log.warn('the database can be used again');
          })
          .catch(() => undefined)
          .finally(() => {
            isLooking = false;
          });
      },
      { keepsProcess: false },
    );
    endOutage = () => {
      timer.cancel();
      endOutage = null;
    };
  }

  return {
    databaseFailed(error) {
      // It counts as unavailable for whoever waits, but nothing is wrong.
      if (endOutage === null && !(error instanceof ServiceStopping)) beginOutage(error);
    },
    authorityCalled(environment, failure) {
      if (failure instanceof ServiceStopping) return;
      const before = failures.get(environment) ?? 0;
      if (failure instanceof AuthorityCallError && AWAY.has(failure.kind)) {
        failures.set(environment, before + 1);
        if (before + 1 === FAILURES_OF_OUTAGE)
          log.warn({ environment, reason: failure.message }, 'the authority does not answer; documents wait for it');
        return;
      }
      failures.delete(environment);
      if (before >= FAILURES_OF_OUTAGE) log.warn({ environment }, 'the authority answers again');
    },
    stop: () => endOutage?.(),
  };
}
