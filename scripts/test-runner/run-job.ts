import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { START_FLAGS } from '../../bin/start-flags.js';
import type { Job } from './test-jobs.ts';
import type { JobResult, TestEvent } from './test-report.ts';

export type JobOptions = {
  readonly timeoutMs: number;
  /** Only tests whose names match one of them; all where there are none. */
  readonly namePatterns: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
};

const TOGETHER = fileURLToPath(new URL('./run-together.ts', import.meta.url));

/**
 * The flags of the service but for room: what closed services leave behind is kept as long as their tests are. Each collection would copy it,
 * a sixth of the work of a test process.
 */
export const JOB_FLAGS: readonly string[] = [
  ...START_FLAGS,
  '--max-semi-space-size=64',
  '--min-semi-space-size=64',
  '--initial-old-space-size=256',
  '--heap-growing-percent=400',
];

/** Runs the files of a job in one process of its own. */
export async function runJob(
  { lane, files }: Job,
  { timeoutMs, namePatterns, environment, signal }: JobOptions,
): Promise<JobResult> {
  const events: TestEvent[] = [];
  // Errors of failed tests change hands as they are, which JSON could not do.
  const child = fork(TOGETHER, [String(timeoutMs), JSON.stringify(namePatterns), ...files], {
    env: { ...environment, ...(lane === 'PostgreSQL' ? { TEST_DATABASE: 'postgres' } : {}) },
    signal,
    serialization: 'advanced',
    execArgv: [...JOB_FLAGS],
  });
  child.on('message', (event) => events.push(event as TestEvent));
  const ending = await once(child, 'close').then(
    ([exitCode, killedBy]) => (killedBy === null ? `exit code ${exitCode}` : String(killedBy)),
    (error: unknown) => String(error),
  );
  return { events, ending };
}
