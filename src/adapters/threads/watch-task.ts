import type { Worker } from 'node:worker_threads';

/** So often within its limit the processor time of a task is read. */
const READINGS = 10;
/** A thread that neither works nor answers is given up after so many times the limit. */
const PATIENCE = 10;

/**
 * Calls back when a task has used more processor time than it may. Time on the clock says little of a task: where other programs
 * have the processors, an ordinary document takes ten times as long. Returns a function that ends the watch.
 */
export function watchTask(worker: Worker, limitMs: number, onExceeded: () => void): () => void {
  const intervalMs = limitMs / READINGS;
  let timer: NodeJS.Timeout | null = setTimeout(look, intervalMs);
  let looks = 0;
  let usedBeforeMs: number | null = null;

  function end(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  function giveUp(): void {
    end();
    onExceeded();
  }

  function look(): void {
    looks += 1;
    if (looks >= READINGS * PATIENCE) {
      giveUp();
      return;
    }
    timer = setTimeout(look, intervalMs);
    worker.cpuUsage().then(compare, () => {
      // The thread has ended, and the task with it.
    });
  }

  function compare({ user, system }: NodeJS.CpuUsage): void {
    if (timer === null) return;
    const usedMs = (user + system) / 1_000;
    // The first reading comes an interval after the task began, which it may have used whole.
    usedBeforeMs ??= usedMs - intervalMs;
    if (usedMs - usedBeforeMs >= limitMs) giveUp();
  }

  return end;
}
