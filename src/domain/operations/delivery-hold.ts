/** The reason after a restore, until the database was compared with the authority. */
export const RESTORED = 'restored, not reconciled';

export type Hold = { readonly reason: string; readonly since: number };

/** Nothing is sent, by any process, until the hold is ended. Reason and time are those of the operator's hold where there is one. */
export type DeliveryHold = Hold & {
  /** The database was restored and not compared with the authority since; null otherwise. */
  readonly restored: RestoredHold | null;
};

export type RestoredHold = {
  /** When it was first restored without being compared since: from then on it knows nothing of what the authority has registered. */
  readonly since: number;
  /** When it was restored last: until then documents may have been sent. */
  readonly at: number;
};
