import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBench } from './bench.ts';
import type { Row } from './report/figures.ts';
import type { Stage } from './scenarios/scenario.ts';
import type { Settings } from './settings.ts';

export type Run = {
  readonly settings: Settings;
  readonly stages: readonly Stage[];
  readonly isWanted: (name: string) => boolean;
  readonly stop: AbortSignal;
  /** A line for people, while it runs. */
  readonly tell: (line: string) => void;
};

const SECOND_MS = 1_000;

export type Outcome = {
  readonly rows: readonly Row[];
  /** What ended the run early, other than a stop. */
  readonly failure: unknown;
};

/** Returns what was measured until the end, a stop or a failure. Nothing is left behind, neither a process nor a file. */
export async function runScenarios({ settings, stages, isWanted, stop, tell }: Run): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'dostava-bench-'));
  // PostgreSQL does not run as root, and whom it runs as must come to its own folder in there.
  await chmod(folder, 0o711);
  const bench = createBench(folder, settings, stop);
  const onStop = () => void bench.children.stopAll();
  stop.addEventListener('abort', onStop);
  const total = stages.flatMap(({ names }) => names).filter(isWanted).length;
  const rows: Row[] = [];
  let place = 0;
  let began = 0;
  let failure: unknown = null;
  function begins(name: string): void {
    stop.throwIfAborted();
    place += 1;
    began = performance.now();
    tell(`${String(place).padStart(String(total).length)} of ${total}  ${name}`);
  }
  function measured(row: Row): void {
    rows.push(row);
    tell(`${' '.repeat(String(total).length * 2 + 4)}  ${((performance.now() - began) / SECOND_MS).toFixed(1)} s`);
  }
  try {
    for (const stage of stages) await stage.run(bench, isWanted, { begins, measured });
  } catch (error) {
    // Whoever waited for a process that was stopped has got an error.
    if (!stop.aborted) failure = error;
  } finally {
    stop.removeEventListener('abort', onStop);
    await bench.children.stopAll();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return { rows, failure };
}
