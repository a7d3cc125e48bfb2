/** Nothing is sent, by any process, until the hold is ended. */
export type DeliveryHold = { readonly reason: string; readonly since: number };

export type DeliveryHoldStore = {
  readonly find: () => Promise<DeliveryHold | null>;
  /** Takes the place of an earlier one. */
  readonly set: (hold: DeliveryHold) => Promise<void>;
  /** False when there was none. */
  readonly end: () => Promise<boolean>;
};
