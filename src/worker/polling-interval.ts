/** How often a recurring task asks the authority for news. */
export type Polling = {
  /** The pause after a run that brought something new. */
  readonly everyMs: number;
  /** The longest pause after runs that brought nothing. */
  readonly quietMs: number;
  /** What each tenant adds to the least pause of all tenants of its user, so that their runs take no more than their share of the line. */
  readonly perTenantMs: number;
};

export type PollingHistory = {
  /** Runs in a row that brought nothing new, the last one included. */
  readonly quietRuns: number;
  /** Runs in a row that failed, the last one included. */
  readonly failures: number;
  readonly tenantsOfUser: number;
};

/** After each failure in a row the pause doubles, up to this factor. */
const MOST_AFTER_FAILURES = 16;

/** No run is postponed longer, whatever its history. */
export function longestPauseMs({ everyMs, quietMs, perTenantMs }: Polling, tenantsOfUser: number): number {
  return Math.max(everyMs * MOST_AFTER_FAILURES, quietMs, Math.ceil(perTenantMs * tenantsOfUser));
}

/** The pause doubles with every run that brings nothing, and with every one that fails. */
export function pollingPauseMs(
  { everyMs, quietMs, perTenantMs }: Polling,
  { quietRuns, failures, tenantsOfUser }: PollingHistory,
): number {
  const quiet = Math.min(everyMs * 2 ** quietRuns, Math.max(everyMs, quietMs));
  const failed = everyMs * Math.min(2 ** failures, MOST_AFTER_FAILURES);
  return Math.ceil(Math.max(quiet, failed, perTenantMs * tenantsOfUser));
}
