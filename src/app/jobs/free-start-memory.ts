import { freeAll } from '../../adapters/threads/free-memory.ts';
import type { Timer, Timers } from '../../application/ports/platform.ts';

/** Long enough for those who wait for the start to have come. */
const PAUSE_MS = 10_000;

/** What a start leaves behind is 30 MiB. It is collected once, at a moment at which nobody waits for an answer. */
export function freeStartMemory(timers: Timers, isIdle: () => boolean, free = freeAll): Timer {
  const looking = timers.every(
    PAUSE_MS,
    () => {
      if (!isIdle()) return;
      looking.cancel();
      free();
    },
    { keepsProcess: false },
  );
  return looking;
}
