import type { Clock, Timers } from '../ports/platform.ts';
import type { ServiceProcess } from '../ports/storage/operations/process-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock; readonly timers: Timers };

export type Announced = { readonly stop: () => Promise<void> };

/** A process that was not seen for three of these does not run any more, or cannot reach the database. */
export const SEEN_EVERY_MS = 20_000;
const FORGET_AFTER_MS = 86_400_000;

/** Says to the others, by a row, that this process runs. Whether that works is nobody's concern but the reader's. */
export function announceProcess(
  { storage, clock, timers }: Needs,
  process: Omit<ServiceProcess, 'startedAt' | 'seenAt'>,
): Announced {
  const startedAt = clock.now();
  let writing = Promise.resolve();

  function write(work: (tx: Storage) => Promise<void>): void {
    // A database that does not answer is reported by those who need it.
    writing = writing.then(() => storage.transaction(work)).catch(() => undefined);
  }

  function beat(): void {
    const seenAt = clock.now();
    write(async (tx) => {
      await tx.processes.save({ ...process, startedAt, seenAt });
      await tx.processes.forgetBefore(seenAt - FORGET_AFTER_MS);
    });
  }

  beat();
  const timer = timers.every(SEEN_EVERY_MS, beat, { keepsProcess: false });
  return {
    async stop() {
      timer.cancel();
      write((tx) => tx.processes.remove(process.id));
      await writing;
    },
  };
}
