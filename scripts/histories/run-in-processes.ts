import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { History } from '../../test/simulation/history.ts';
import { addHistory, NOTHING, type Summary } from '../../test/simulation/run-seeds.ts';

const PROCESS = fileURLToPath(new URL('./history-process.ts', import.meta.url));

/**
 * Runs the histories of seeds 1 to `seeds` on all processors. They are added up in the order of their seeds, so that the digest over them
 * is the same with any number of processes.
 */
export async function runInProcesses(
  engine: 'sqlite' | 'postgres',
  seeds: number,
  onHistory: (history: History, summary: Summary) => void,
): Promise<Summary> {
  const waiting = new Map<number, History>();
  let summary = NOTHING;
  function take(history: History): void {
    waiting.set(history.seed, history);
    for (let next = waiting.get(summary.histories + 1); next !== undefined; next = waiting.get(summary.histories + 1)) {
      waiting.delete(next.seed);
      summary = addHistory(summary, next, next.violations.length > 0 ? [next] : []);
      onHistory(next, summary);
    }
  }
  const count = Math.max(1, Math.min(availableParallelism(), seeds));
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const child = fork(PROCESS, [engine, ...[index + 1, count, seeds].map(String)], { serialization: 'advanced' });
      child.on('message', (history) => take(history as History));
      // Not `exit`, which may come before the last message.
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`A process that ran histories ended with ${code}.`);
    }),
  );
  if (summary.histories !== seeds) throw new Error(`Of ${seeds} histories ${summary.histories} were run.`);
  return summary;
}
