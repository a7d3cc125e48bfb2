import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DeliveryHold, Hold, RestoredHold } from '../../../../domain/operations/delivery-hold.ts';

export type DeliveryHoldStore = {
  readonly find: () => Promise<DeliveryHold | null>;
  /** Whether nothing is sent for the tenant: for none is, or it was not compared. */
  readonly isHeldFor: (tenant: Edb) => Promise<boolean>;
  /** Tenants with an account that were not compared when the hold after a restore ended: they had none, or could not be asked for. */
  readonly uncompared: () => Promise<readonly UncomparedTenant[]>;
  /** The same, with those that have no account still, or left the service: all that `end` would let go. */
  readonly heldByThemselves: () => Promise<readonly Edb[]>;
  /** Takes the place of an earlier one of its kind: that after a restore and that of an operator stand beside each other. */
  readonly set: (hold: Hold) => Promise<void>;
  /** Ends that of an operator, or else that after a restore, also of tenants that were not compared. False when there was none. */
  readonly end: () => Promise<boolean>;
  /** Ends that after a restore at that time, and no other, but for tenants that were not compared. False when it is not there. */
  readonly endRestored: (at: number, uncompared: readonly Edb[]) => Promise<boolean>;
  /** The tenant was compared. False when it need not be. */
  readonly endUncompared: (tenant: Edb) => Promise<boolean>;
  /** When a document of any tenant last came or changed its status before a time; null if none did. Reads every move. */
  readonly lastMoveBefore: (time: number) => Promise<number | null>;
};

export type UncomparedTenant = { readonly tenant: Edb; readonly restored: RestoredHold };
