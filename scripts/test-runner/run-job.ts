import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { START_FLAGS } from '../../bin/start-flags.js';
import type { Job } from './test-jobs.ts';
import type { TestEvent } from './test-report.ts';

export type JobOptions = {
  readonly timeoutMs: number;
  /** Only tests whose names match one of them; all where there are none. */
  readonly namePatterns: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
};

const TOGETHER = fileURLToPath(new URL('./run-together.ts', import.meta.url));

/** Runs the files of a job in one process of its own, with the flags of the service, and returns what node:test says of them. */
export async function runJob(
  { lane, files }: Job,
  { timeoutMs, namePatterns, environment, signal }: JobOptions,
): Promise<readonly TestEvent[]> {
  const events: TestEvent[] = [];
  // Errors of failed tests change hands as they are, which JSON could not do.
  const child = fork(TOGETHER, [String(timeoutMs), JSON.stringify(namePatterns), ...files], {
    env: { ...environment, ...(lane === 'PostgreSQL' ? { TEST_DATABASE: 'postgres' } : {}) },
    signal,
    serialization: 'advanced',
    execArgv: [...START_FLAGS],
  });
  child.on('message', (event) => events.push(event as TestEvent));
  // Without its last event the job counts as failed, so how it ended needs no look.
  await once(child, 'close').catch(() => undefined);
  return events;
}
