import type { Edb } from '../../domain/accounts/edb.ts';
import { type DeliveryHold, type Hold, RESTORED } from '../../domain/operations/delivery-hold.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';

export type HoldDelivery = {
  /** From now on no process sends anything; documents are taken as before. */
  readonly hold: (reason: string) => Promise<Hold>;
  /** Ends the operator's hold, or else that after a restore, also of tenants that were not compared. */
  readonly release: () => Promise<Released>;
  /** Tenants for which nothing is sent, since they were not compared after a restore. */
  readonly uncompared: () => Promise<readonly Edb[]>;
};

export type Released = {
  /** False when nothing was held. */
  readonly isEnded: boolean;
  /** What holds delivery still. */
  readonly left: DeliveryHold | null;
};

type Needs = { readonly storage: Storage; readonly clock: Clock; readonly record: RecordCommand };

export function holdDelivery({ storage, clock, record }: Needs): HoldDelivery {
  return {
    hold: (reason) =>
      storage.transaction(async (tx) => {
        const hold = { reason, since: clock.now() };
        await tx.deliveryHold.set(hold);
        await record(tx, { command: 'hold', target: reason, tenant: null });
        return hold;
      }),
    release: () =>
      storage.transaction(async (tx) => {
        const ended = await tx.deliveryHold.find();
        if (!(await tx.deliveryHold.end())) return { isEnded: false, left: null };
        await record(tx, { command: 'release', target: ended?.reason ?? RESTORED, tenant: null });
        return { isEnded: true, left: await tx.deliveryHold.find() };
      }),
    uncompared: () => uncomparedIn(storage),
  };
}

export type HoldWatch = {
  /** Whether anything may be sent; what another process has set is known within a second. */
  readonly maySend: () => Promise<boolean>;
  /** Tenants for which nothing is sent, since they were not compared after a restore; as they were known by the last of these calls. */
  readonly uncompared: () => readonly Edb[];
  /** Asks the database now, whatever is known. */
  readonly look: () => Promise<DeliveryHold | null>;
};

/** By then every process knows of a hold that was begun. */
export const HOLD_KNOWN_MS = 1_000;

export function watchHold({
  storage,
  clock,
  onChange,
  onUncompared,
}: {
  readonly storage: Pick<Storage, 'deliveryHold'>;
  readonly clock: Clock;
  readonly onChange: (hold: DeliveryHold | null) => void;
  readonly onUncompared: (tenants: readonly Edb[]) => void;
}): HoldWatch {
  let known: DeliveryHold | null = null;
  let uncompared: readonly Edb[] = [];
  let lookedAt: number | null = null;

  async function look(): Promise<DeliveryHold | null> {
    const at = clock.now();
    const found = await storage.deliveryHold.find();
    const notCompared = await uncomparedIn(storage);
    if (!isSame(found, known)) onChange(found);
    if (notCompared.join() !== uncompared.join()) onUncompared(notCompared);
    known = found;
    uncompared = notCompared;
    lookedAt = at;
    return found;
  }

  return {
    look,
    uncompared: () => uncompared,
    async maySend() {
      const now = clock.now();
      const isKnown = lookedAt !== null && now >= lookedAt && now < lookedAt + HOLD_KNOWN_MS;
      return (isKnown ? known : await look()) === null;
    },
  };
}

function isSame(one: DeliveryHold | null, other: DeliveryHold | null): boolean {
  return one?.since === other?.since && one?.reason === other?.reason && one?.restored?.at === other?.restored?.at;
}

async function uncomparedIn({ deliveryHold }: Pick<Storage, 'deliveryHold'>): Promise<readonly Edb[]> {
  return (await deliveryHold.uncompared()).map(({ tenant }) => tenant);
}
