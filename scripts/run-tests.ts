import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { START_FLAGS } from '../bin/start-flags.js';
import { SHARED_SERVER, startPostgres } from '../test/support/postgres.ts';
import { QUICK_START } from '../test/support/process.ts';
import { FORMAT_LINT_TYPES, runCheck } from './test-runner/run-check.ts';
import { JOB_FLAGS, type JobOptions, runJob } from './test-runner/run-job.ts';
import { inOrder, type Job, jobsFor, type Lane } from './test-runner/test-jobs.ts';
import { createTestReport, type TestReport } from './test-runner/test-report.ts';

const HELP = `npm run test:run -- [options] [files or patterns]

  --check                         format, lint and types as well, beside the tests
  --test-name-pattern <pattern>   only tests whose names match; may be repeated
  --concurrency <number>          test processes at once
  --timeout-minutes <number>      for one test and for one file

Without files: every test, and the contract and delivery suites once on each engine. With files: those, on the engine that
TEST_DATABASE names (sqlite, postgres).`;

/** Many tests wait for a timer or a process: with two more test processes than processors, a tenth of the processors' time was left. */
const BESIDE = 3;
const COMPILE_AHEAD = fileURLToPath(new URL('./test-runner/compile-ahead.ts', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    'test-name-pattern': { type: 'string', multiple: true, default: [] },
    concurrency: { type: 'string', default: String(availableParallelism() + BESIDE) },
    'timeout-minutes': { type: 'string', default: '15' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else process.exitCode = (await runTests()) ? 0 : 1;

async function runTests(): Promise<boolean> {
  const jobs = jobsFor(lanes(), positionals);
  if (jobs.length > 1) takeLongTurns();
  const broken = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => broken.abort());
  const report = createTestReport((text) => process.stdout.write(text));
  const [server] = await Promise.all([sharedServer(jobs), compileAhead(jobs)]);
  await runAll(inOrder(jobs), report, {
    timeoutMs: Number(values['timeout-minutes']) * 60_000,
    namePatterns: values['test-name-pattern'],
    environment: { ...process.env, ...server },
    signal: broken.signal,
  });
  return report.finish();
}

/**
 * For this process and all that it starts, where the system has the command: who is woken waits until the processor is free, and takes it
 * from nobody. A whole run took a twentieth less processor time so, measured in one hour; the machine itself varies by more from hour to hour.
 */
function takeLongTurns(): void {
  spawnSync('chrt', ['-b', '-p', '0', String(process.pid)]);
}

function lanes(): readonly Lane[] {
  const engine = process.env['TEST_DATABASE'];
  if (engine === 'postgres') return ['PostgreSQL'];
  return engine === 'sqlite' || positionals.length > 0 ? ['SQLite'] : ['SQLite', 'PostgreSQL'];
}

/** It ends with this process, in whatever way. A single file starts one of its own if it needs one. */
async function sharedServer(jobs: readonly Job[]): Promise<Readonly<Record<string, string>>> {
  return jobs.length > 1 ? { [SHARED_SERVER]: (await startPostgres()).folder } : {};
}

/** Code is kept for each set of flags apart. One that could not be compiled makes the tests slower, and nothing else. */
async function compileAhead(jobs: readonly Job[]): Promise<void> {
  const flagsOfMany = jobs.length > 1 ? [JOB_FLAGS, QUICK_START, START_FLAGS] : [];
  await Promise.allSettled(flagsOfMany.map((flags) => once(fork(COMPILE_AHEAD, { execArgv: [...flags] }), 'exit')));
}

async function runAll(jobs: readonly Job[], report: TestReport, options: JobOptions): Promise<void> {
  const { signal } = options;
  const runAsJob = (job: Job) => async () => {
    const started = performance.now();
    const result = await runJob(job, options);
    report.add(job, performance.now() - started, result);
  };
  // First, so that what they find is said early.
  const waiting = [...(values.check ? [() => check(report, signal)] : []), ...jobs.map(runAsJob)];
  async function runNext(): Promise<void> {
    for (let run = waiting.shift(); run !== undefined && !signal.aborted; run = waiting.shift()) await run();
  }
  await Promise.all(Array.from({ length: Number(values.concurrency) }, runNext));
}

async function check(report: TestReport, signal: AbortSignal): Promise<void> {
  const started = performance.now();
  const result = await runCheck(FORMAT_LINT_TYPES, signal);
  report.addCheck(FORMAT_LINT_TYPES, performance.now() - started, result);
}
