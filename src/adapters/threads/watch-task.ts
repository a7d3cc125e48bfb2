import type { Worker } from 'node:worker_threads';
import type { Timer, Timers } from '../../application/ports/platform.ts';

/** So often within its limit the processor time of a task is read. */
const READINGS = 10;
/** A thread that neither works nor answers is given up after so many times the limit. */
const PATIENCE = 10;

/**
 * Calls back when a task has used more processor time than it may. Time on the clock says little of a task: where other programs
 * have the processors, an ordinary document takes ten times as long. Returns a function that ends the watch.
 */
export function watchTask(worker: Worker, timers: Timers, limitMs: number, onExceeded: () => void): () => void {
  const intervalMs = limitMs / READINGS;
  let timer: Timer | null = timers.after(intervalMs, look);
  let looks = 0;
  let usedBeforeMs: number | null = null;

  function end(): void {
    timer?.cancel();
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
    timer = timers.after(intervalMs, look);
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
