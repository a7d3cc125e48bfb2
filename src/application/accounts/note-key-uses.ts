import { type ApiKey, isNewUse } from '../../domain/accounts/api-key.ts';
import type { Clock, Timer, Timers } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock; readonly timers: Timers };

export type KeyUses = {
  /** Costs the call nothing: what is noted is written later. */
  readonly note: (key: ApiKey) => void;
  /** Writes what is noted. */
  readonly stop: () => Promise<void>;
};

/** Uses are written together, so that many keys cost one transaction. */
const WRITTEN_AFTER_MS = 30_000;

/** Puts on record when keys were last used, for the operator who wonders whether one is still needed. */
export function noteKeyUses({ storage, clock, timers }: Needs): KeyUses {
  let noted = new Map<string, { readonly key: ApiKey; readonly at: number }>();
  let timer: Timer | null = null;
  let writing = Promise.resolve();

  function write(): Promise<void> {
    timer?.cancel();
    timer = null;
    // In one order, so that two processes never wait for each other's rows.
    const uses = [...noted.values()].toSorted((one, other) => (one.key.keyId < other.key.keyId ? -1 : 1));
    noted = new Map();
    if (uses.length === 0) return writing;
    writing = writing
      .then(() =>
        storage.transaction(async (tx) => {
          for (const { key, at } of uses) await tx.keys.recordUse(key.tenant, key.keyId, at);
        }),
      )
      // A database that does not answer is reported by those who need it; the next call is noted again.
      .catch(() => undefined);
    return writing;
  }

  return {
    note(key) {
      const at = clock.now();
      if (noted.has(key.keyId) || !isNewUse(key, at)) return;
      noted.set(key.keyId, { key, at });
      timer ??= timers.after(WRITTEN_AFTER_MS, () => void write(), { keepsProcess: false });
    },
    stop: write,
  };
}
