import type { Logger } from 'pino';
import { recallPostponed } from '../application/clocks/recall-postponed.ts';
import {
  type ClockProblem,
  type ClockReference,
  type ClockWatch,
  watchClock,
} from '../application/clocks/watch-clock.ts';
import { AUTHORITY_ENVIRONMENTS } from '../domain/accounts/tenant.ts';
import { longestPauseMs } from '../worker/polling-interval.ts';
import type { Job } from '../worker/worker.ts';
import type { AuthorityConnection } from './authority.ts';
import type { Foundation } from './foundation.ts';
import { pollingOf } from './polling.ts';

const SECOND_MS = 1_000;
/** While clocks do not agree; when they do, only every few times. */
const COMPARED_EVERY_MS = 5_000;
const RUNS_PER_COMPARISON = 6;
/** From one search for traces of a wrong clock to the next: a worker that has died may have left them. */
const COMPARISONS_PER_RECALL = 10;

/** Compares the clock of the service with the authority's and, where they share a database, that of the machine with the server's. */
export function openClockWatch(
  { config, clock, machineClock, engine }: Foundation,
  connection: Pick<AuthorityConnection, 'serverTime'>,
  log: Logger,
): ClockWatch {
  const { authoritySeconds, databaseSeconds } = config.clockLimits;
  const installations = AUTHORITY_ENVIRONMENTS.filter((environment) => config.authorityUrls[environment] !== null);
  const authority = installations.map(
    (environment): ClockReference => ({
      name: `authority-${environment}`,
      group: 'authority',
      limitMs: authoritySeconds * SECOND_MS,
      clock,
      // It tells whole seconds.
      time: async () => (await connection.serverTime(environment)) + SECOND_MS / 2,
    }),
  );
  const { serverTime } = engine;
  const database: ClockReference[] =
    serverTime === null
      ? []
      : [
          {
            name: 'database',
            group: 'database',
            limitMs: databaseSeconds * SECOND_MS,
            clock: machineClock,
            time: serverTime,
          },
        ];
  return watchClock({
    references: [...database, ...authority],
    onChange(problem) {
      if (problem === null) log.warn('delivery goes on: clocks agree again');
      else log.warn(clockFacts(problem), 'delivery stopped: clocks differ too much; it goes on when they agree');
    },
  });
}

function clockFacts({ reference, offsetMs, limitMs }: ClockProblem) {
  return { reference, aheadSeconds: offsetMs / SECOND_MS, limitSeconds: limitMs / SECOND_MS };
}

/** For the operator. */
export function clockSentence({ reference, offsetMs }: ClockProblem): string {
  const seconds = Math.round(Math.abs(offsetMs) / SECOND_MS);
  return `delivery stopped: the clock is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} that of ${reference}`;
}

/** Keeps comparing; once clocks agree, and every few minutes, what a wrong clock has postponed is made due. */
export function clockJob(
  { storage, clock, config }: Foundation,
  watch: ClockWatch,
  leaseMs: { readonly document: number; readonly void: number; readonly task: number },
  log: Logger,
): Job {
  const { databaseSeconds } = config.clockLimits;
  const polling = pollingOf(config);
  const recall = recallPostponed({
    storage,
    clock,
    leaseMs,
    toleranceMs: 2 * databaseSeconds * SECOND_MS,
    longestPauseMs: (name, tenants) => longestPauseMs(polling[name], tenants),
  });
  let runs = 0;

  async function run(): Promise<void> {
    if (watch.isTrusted() && runs % RUNS_PER_COMPARISON !== 0) {
      runs += 1;
      return;
    }
    if ((await watch.check()) !== 'right') {
      runs = 0;
      return;
    }
    const isTimeToRecall = runs % (RUNS_PER_COMPARISON * COMPARISONS_PER_RECALL) === 0;
    runs += 1;
    if (!isTimeToRecall) return;
    const recalled = await recall();
    if (Object.values(recalled).some((count) => count > 0))
      log.warn(recalled, 'what a wrong clock had postponed is due');
  }

  return { name: 'compare clocks', everyMs: COMPARED_EVERY_MS, run };
}
