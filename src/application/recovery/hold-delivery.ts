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
  /** Ends the hold of a tenant that is held by itself, and nothing else. */
  readonly releaseTenant: (tenant: Edb) => Promise<Released>;
  /** Tenants for which nothing is sent, since they were not compared after a restore. */
  readonly uncompared: () => Promise<readonly Edb[]>;
};

export type Released = {
  /** False when nothing was held. */
  readonly isEnded: boolean;
  /** The hold of all that ended, or went over to `left`; null where only tenants were held by themselves. */
  readonly ended: DeliveryHold | null;
  /** Whether the hold after a restore ended, for all or for tenants that were held by themselves: the authority was not asked. */
  readonly isWithoutComparison: boolean;
  /** What holds delivery still. */
  readonly left: DeliveryHold | null;
  /** Tenants that were held by themselves, since they were not compared after a restore, and are no longer. */
  readonly released: readonly Edb[];
  /** Those that are held by themselves still. */
  readonly uncompared: readonly Edb[];
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
        const before = await tx.deliveryHold.heldByThemselves();
        const isEnded = await tx.deliveryHold.end();
        const left = await tx.deliveryHold.find();
        const uncompared = await tx.deliveryHold.heldByThemselves();
        const released = before.filter((tenant) => !uncompared.includes(tenant));
        if (ended !== null) await record(tx, { command: 'release', target: ended.reason, tenant: null });
        for (const tenant of released) await record(tx, { command: 'release', target: RESTORED, tenant });
        const isWithoutComparison = released.length > 0 || (ended?.restored != null && left === null);
        return { isEnded, ended, isWithoutComparison, left, released, uncompared };
      }),
    releaseTenant: (tenant) =>
      storage.transaction(async (tx) => {
        const isEnded = await tx.deliveryHold.endUncompared(tenant);
        if (isEnded) await record(tx, { command: 'release', target: RESTORED, tenant });
        const left = await tx.deliveryHold.find();
        const uncompared = await tx.deliveryHold.heldByThemselves();
        const released = isEnded ? [tenant] : [];
        return { isEnded, ended: null, isWithoutComparison: isEnded, left, released, uncompared };
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
