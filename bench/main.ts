import { readFile, writeFile } from 'node:fs/promises';
import { type Options, readOptions, USAGE } from './options.ts';
import {
  type Deviation,
  describeDeviation,
  deviations,
  type ExpectedRatios,
  ratiosToExpect,
  unexpected,
} from './report/expected-ratios.ts';
import type { Row } from './report/figures.ts';
import { describeMachine } from './report/machine.ts';
import { withTable } from './report/performance-page.ts';
import { textTable } from './report/table.ts';
import { type Outcome, runScenarios } from './run-scenarios.ts';
import { stagesOf } from './scenarios/stages.ts';
import type { Settings } from './settings.ts';

const EXIT = { done: 0, deviation: 1, failed: 1, usage: 2, interrupted: 130 } as const;
const MEASURED_AGAIN = 2;
const EXPECTED = new URL('./expected-ratios.json', import.meta.url);
const PAGE = new URL('../docs/performance.md', import.meta.url);

type ExpectedFile = Partial<Record<Settings['mode'], ExpectedRatios>>;

function understood(): Options | null | undefined {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return undefined;
  }
}

async function main(): Promise<number> {
  const options = understood();
  if (options === undefined) return EXIT.usage;
  if (options === null) {
    console.log(USAGE);
    return EXIT.done;
  }
  const stages = stagesOf(options.settings);
  const names = stages.flatMap((stage) => stage.names).filter(options.isWanted);
  if (options.lists || names.length === 0) {
    console.log(names.length === 0 ? 'No scenario has such a name.' : names.join('\n'));
    return names.length === 0 ? EXIT.usage : EXIT.done;
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const tell = (line: string) => console.error(line);
  const measure = (isWanted: (name: string) => boolean) =>
    runScenarios({ settings: options.settings, stages, isWanted, stop: stop.signal, tell });
  const { rows, failure } = await measure(options.isWanted);
  await report(options, rows);
  if (failure !== null) {
    console.error(failure);
    return EXIT.failed;
  }
  if (stop.signal.aborted) {
    tell(`Stopped after ${rows.length} of ${names.length} scenarios.`);
    return EXIT.interrupted;
  }
  return options.checks ? check(options.settings, rows, measure) : EXIT.done;
}

async function report({ settings, json, writesExpected, writesPage }: Options, rows: readonly Row[]): Promise<void> {
  const machine = await describeMachine();
  const at = new Date().toISOString();
  console.log(`${textTable(rows)}\n\n${at}, ${settings.mode}: ${machine}`);
  if (json !== null) await writeFile(json, `${JSON.stringify({ at, mode: settings.mode, machine, rows }, null, 2)}\n`);
  if (writesPage)
    await writeFile(PAGE, withTable(await readFile(PAGE, 'utf8'), { at, mode: settings.mode, machine, rows }));
  if (!writesExpected) return;
  const before = await readExpected();
  const ratios = { ...before[settings.mode], ...ratiosToExpect(rows) };
  await writeFile(EXPECTED, `${JSON.stringify({ ...before, [settings.mode]: ratios }, null, 2)}\n`);
}

async function readExpected(): Promise<ExpectedFile> {
  return JSON.parse(await readFile(EXPECTED, 'utf8')) as ExpectedFile;
}

/** What is beyond its range is measured again: a machine that was busy for a moment is no deviation. */
async function check(
  { mode }: Settings,
  rows: readonly Row[],
  measure: (isWanted: (name: string) => boolean) => Promise<Outcome>,
): Promise<number> {
  const expected = (await readExpected())[mode] ?? {};
  for (const name of unexpected(rows, expected)) console.log(`${name}: no ratio is expected of it yet`);
  let found = deviations(rows, expected);
  for (let time = 0; time < MEASURED_AGAIN && found.length > 0; time += 1) {
    const suspects = new Set(found.map(({ scenario }) => scenario));
    console.error('Measuring again what is beyond its range:');
    const again = await measure((name) => suspects.has(name));
    if (again.failure !== null) throw again.failure;
    const before = found;
    found = deviations(again.rows, expected).filter((deviation) => before.some(isSame(deviation)));
  }
  return toldOf(found);
}

function isSame(one: Deviation): (other: Deviation) => boolean {
  return (other) => one.scenario === other.scenario && one.baseline === other.baseline && one.of === other.of;
}

function toldOf(found: readonly Deviation[]): number {
  for (const deviation of found) console.log(describeDeviation(deviation));
  console.log(
    found.length === 0 ? 'All ratios are within their ranges.' : `${found.length} ratios are beyond their ranges.`,
  );
  return found.length === 0 ? EXIT.done : EXIT.deviation;
}

// What an interrupted scenario has opened in this process would keep it running.
process.exit(await main());
