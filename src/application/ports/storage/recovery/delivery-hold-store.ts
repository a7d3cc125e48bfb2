import type { DeliveryHold, Hold } from '../../../../domain/operations/delivery-hold.ts';

export type DeliveryHoldStore = {
  readonly find: () => Promise<DeliveryHold | null>;
  /** Takes the place of an earlier one of its kind: that after a restore and that of an operator stand beside each other. */
  readonly set: (hold: Hold) => Promise<void>;
  /** Ends that of an operator, or else that after a restore. False when there was none. */
  readonly end: () => Promise<boolean>;
  /** Ends that after a restore at that time, and no other. False when it is not there. */
  readonly endRestored: (at: number) => Promise<boolean>;
  /** When a document of any tenant last came or changed its status before a time; null if none did. Reads every move. */
  readonly lastMoveBefore: (time: number) => Promise<number | null>;
};
