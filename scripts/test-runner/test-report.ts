import { once } from 'node:events';
import type { Transform } from 'node:stream';
import { spec } from 'node:test/reporters';
import type { Check, CheckResult } from './run-check.ts';
import { type Job, nameOf } from './test-jobs.ts';

/** What node:test says of a test, as much of it as is looked at here. */
export type TestEvent = {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    readonly message?: string;
    readonly file?: string;
    /** In how many others it is. */
    readonly nesting?: number;
    readonly skip?: string | boolean;
    readonly success?: boolean;
    readonly counts?: Readonly<Record<string, number>>;
  };
};

/** What node:test said of the files of a job, and how its process ended. */
export type JobResult = { readonly events: readonly TestEvent[]; readonly ending: string };

type Skipped = { readonly name: string; readonly job: Job; readonly reason: string | null };

const SLOWEST = 10;
/** The closing lines of node:test, and what the counts in its summary are called. */
const CLOSING = [
  ['tests', 'tests'],
  ['suites', 'suites'],
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['cancelled', 'cancelled'],
  ['skipped', 'skipped'],
  ['todo', 'todo'],
] as const;

const CLOSING_LINE = new RegExp(`^(?:${CLOSING.map(([title]) => title).join('|')}|duration_ms) `, 'u');

export type TestReport = ReturnType<typeof createTestReport>;

/** Prints what the jobs report, each in one piece, and in the end what came of all of them. */
export function createTestReport(print: (text: string) => void) {
  const printer: Transform = new spec();
  printer.setEncoding('utf8').on('data', print);
  const started = performance.now();
  const counts = new Map<string, number>();
  const durations = new Map<Job, number>();
  const skipped: Skipped[] = [];
  const failed: string[] = [];

  function end({ counts: more = {}, success }: TestEvent['data'], job: Job): void {
    for (const [name, count] of Object.entries(more)) counts.set(name, (counts.get(name) ?? 0) + count);
    if (success !== true) failed.push(nameOf(job));
  }

  return {
    add(job: Job, ms: number, { events, ending }: JobResult): void {
      durations.set(job, ms);
      printer.write({ type: 'test:stdout', data: { message: `▸ ${nameOf(job)}, ${seconds(ms)}\n` } });
      const last = events.findLast(isEnd);
      for (const event of events) {
        if (!isEnd(event) && !isClosingLine(event)) printer.write(event);
        if (event.type === 'test:pass' && isSkipped(event)) skipped.push(skippedIn(job, event));
      }
      if (last === undefined) failed.push(`${nameOf(job)} (it did not come to its end: ${ending})`);
      else end(last.data, job);
    },
    addCheck({ name }: Check, ms: number, { isGood, output }: CheckResult): void {
      printer.write({ type: 'test:stdout', data: { message: `▸ ${name}, ${seconds(ms)}\n${output}` } });
      if (!isGood) failed.push(name);
    },
    /** Says what came of it, and whether all is well. */
    async finish(): Promise<boolean> {
      const count = (name: string) => counts.get(name) ?? 0;
      const lines = CLOSING.map(([title, name]) => `${title} ${count(name)}`);
      for (const message of [...lines, `duration_ms ${performance.now() - started}`]) {
        printer.write({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } });
      }
      const ended = once(printer, 'end');
      printer.end();
      await ended;
      print(slowestOf(durations));
      print(skippedOnes(skipped));
      const unexplained = skipped.filter(({ reason }) => reason === null).length;
      if (failed.length > 0) print(`\nFailed:\n${failed.map((name) => `  ${name}\n`).join('')}`);
      print(
        `\n${count('passed')} passed, ${count('failed') + count('cancelled')} failed, ${count('skipped')} skipped: ` +
          `${durations.size} test processes in ${seconds(performance.now() - started)}\n`,
      );
      return failed.length === 0 && unexplained === 0 && count('tests') > 0;
    },
  };
}

/** The summary of the whole job; each file in it has one of its own. */
export function isEnd({ type, data }: TestEvent): boolean {
  return type === 'test:summary' && data.file === undefined;
}

function isClosingLine({ type, data }: TestEvent): boolean {
  return type === 'test:diagnostic' && data.file === undefined && CLOSING_LINE.test(data.message ?? '');
}

function isSkipped({ data: { skip } }: TestEvent): boolean {
  return skip !== undefined && skip !== false;
}

function skippedIn(job: Job, { data: { name = '', skip } }: TestEvent): Skipped {
  return { name, job, reason: typeof skip === 'string' ? skip : null };
}

function slowestOf(durations: ReadonlyMap<Job, number>): string {
  const slowest = [...durations].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST);
  return `\nSlowest:\n${slowest.map(([job, ms]) => `${seconds(ms).padStart(9)}  ${nameOf(job)}\n`).join('')}`;
}

function skippedOnes(skipped: readonly Skipped[]): string {
  if (skipped.length === 0) return '';
  const lines = skipped.map(
    ({ name, job, reason }) => `  ${name}: ${reason ?? 'NO REASON IS GIVEN, which fails the run'} [${nameOf(job)}]\n`,
  );
  return `\nSkipped:\n${lines.join('')}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
