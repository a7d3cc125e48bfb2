import type { RecordCommand } from '../audit/record-command.ts';
import type { Clock } from '../ports/platform.ts';
import type { DeliveryHold } from '../ports/storage/recovery/delivery-hold-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** After a restore, until the database was compared with the authority. */
export const RESTORED = 'restored, not reconciled';

export type HoldDelivery = {
  readonly find: () => Promise<DeliveryHold | null>;
  /** From now on no process sends anything; documents are taken as before. */
  readonly hold: (reason: string) => Promise<DeliveryHold>;
  /** False when nothing was held. */
  readonly release: () => Promise<boolean>;
};

type Needs = { readonly storage: Storage; readonly clock: Clock; readonly record: RecordCommand };

export function holdDelivery({ storage, clock, record }: Needs): HoldDelivery {
  return {
    find: storage.deliveryHold.find,
    hold: (reason) =>
      storage.transaction(async (tx) => {
        const hold = { reason, since: clock.now() };
        await tx.deliveryHold.set(hold);
        await record(tx, { command: 'hold', target: reason, tenant: null });
        return hold;
      }),
    release: () =>
      storage.transaction(async (tx) => {
        if (!(await tx.deliveryHold.end())) return false;
        await record(tx, { command: 'release', target: 'delivery', tenant: null });
        return true;
      }),
  };
}

export type HoldWatch = {
  /** Whether anything may be sent; what another process has set is known within a second. */
  readonly maySend: () => Promise<boolean>;
  /** Asks the database now, whatever is known. */
  readonly look: () => Promise<DeliveryHold | null>;
  /** As it was known last. */
  readonly last: () => DeliveryHold | null;
};

const KNOWN_MS = 1_000;

export function watchHold({
  storage,
  clock,
  onChange,
}: {
  readonly storage: Pick<Storage, 'deliveryHold'>;
  readonly clock: Clock;
  readonly onChange: (hold: DeliveryHold | null) => void;
}): HoldWatch {
  let known: DeliveryHold | null = null;
  let lookedAt: number | null = null;

  async function look(): Promise<DeliveryHold | null> {
    const at = clock.now();
    const found = await storage.deliveryHold.find();
    if (found?.since !== known?.since || found?.reason !== known?.reason) onChange(found);
    known = found;
    lookedAt = at;
    return found;
  }

  return {
    look,
    last: () => known,
    async maySend() {
      const now = clock.now();
      const isKnown = lookedAt !== null && now >= lookedAt && now < lookedAt + KNOWN_MS;
      return (isKnown ? known : await look()) === null;
    },
  };
}
