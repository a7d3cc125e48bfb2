import type { Timers } from '../../application/ports/platform.ts';
import type { Engine } from './engine.ts';

/** A write flushes the disk: however often health is asked for, it costs one in this time. */
const COUNTS_FOR_MS = 5_000;

/**
 * Whoever holds the row is waited for, a moment as a rule. Without an end it is a commit that waits for a synchronous standby which is
 * gone: nobody else's would end either, and a look that passed the row over would never notice.
 */
const CHANGE = 'update store_environment set since = since + 1';
/** There and back: SQLite does not write a value that is there already. */
const CHANGE_BACK = 'update store_environment set since = since - 1';

/** Fails when the database can be read and not written: a read-only disk, a full one, a standby, a server whose standby is gone. */
export function createWriteCheck(
  engine: Pick<Engine, 'transaction'>,
  { elapsedMs }: Pick<Timers, 'elapsedMs'>,
): () => Promise<void> {
  let writtenAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | null = null;
  async function look(): Promise<void> {
    const now = elapsedMs();
    await tryToWrite(engine);
    writtenAt = now;
  }
  return async () => {
    if (elapsedMs() - writtenAt < COUNTS_FOR_MS) return;
    // One for all who ask meanwhile: while it waits it keeps a connection, and many of them would leave none for reads.
    underWay ??= look().finally(() => {
      underWay = null;
    });
    await underWay;
  };
}

/** Fails when it cannot be written at this moment, whatever was possible before. */
export async function tryToWrite(engine: Pick<Engine, 'transaction'>): Promise<void> {
  await engine.transaction(async (sql) => {
    await Promise.all([sql.run(CHANGE, []), sql.run(CHANGE_BACK, [])]);
  });
}
