/** Nothing is sent, by any process, until the hold is ended. */
export type DeliveryHold = { readonly reason: string; readonly since: number };

export type DeliveryHoldStore = {
  readonly find: () => Promise<DeliveryHold | null>;
  /** Takes the place of an earlier one. */
  readonly set: (hold: DeliveryHold) => Promise<void>;
  /** False when there was none. */
  readonly end: () => Promise<boolean>;
  /** When a document of any tenant last came or changed its status before a time; null if none did. Reads every move. */
  readonly lastMoveBefore: (time: number) => Promise<number | null>;
};
