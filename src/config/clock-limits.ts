/** By how much the clock of a worker's machine may differ from others before the worker stops delivering. */
export type ClockLimits = { readonly authoritySeconds: number; readonly databaseSeconds: number };

type Reader = {
  readonly integer: (name: string, defaultValue: number, lowest: number, highest: number) => number;
};

const DAY_SECONDS = 86_400;

export function readClockLimits({ integer }: Reader): ClockLimits {
  return Object.freeze({
    // As much as the authority tolerates in a request.
    authoritySeconds: integer('MAX_AUTHORITY_CLOCK_OFFSET_SECONDS', 300, 5, DAY_SECONDS),
    databaseSeconds: integer('MAX_DATABASE_CLOCK_OFFSET_SECONDS', 30, 1, DAY_SECONDS),
  });
}
