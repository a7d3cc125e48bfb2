/** Where results are shown. */
export type Screen = {
  /** Null where results do not go to a terminal. */
  readonly columns: number | null;
  readonly isColoured: boolean;
};
