import type { Timers } from '../application/ports/platform.ts';
import { EXIT } from '../cli/run-command.ts';
import { endProcess } from './end-process.ts';

/** One Ctrl-C reaches the process several times, from the terminal and from npm; a later one means it. */
const SAME_SIGNAL_MS = 1_000;

/** The last one comes when a terminal is closed, and from tools that rotate logs. Node would end the process there and then. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Aborted at the first signal. Another one, when the first was long enough ago, ends the process at once. */
export function stopSignal(timers: Timers): AbortSignal {
  const stopAsked = new AbortController();
  let firstAt: number | null = null;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      const now = timers.elapsedMs();
      if (firstAt !== null && now - firstAt > SAME_SIGNAL_MS) endProcess(EXIT.failed);
      firstAt ??= now;
      stopAsked.abort();
    });
  }
  return stopAsked.signal;
}
