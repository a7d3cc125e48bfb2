import type { Edb } from './edb.ts';

/** The authority has two installations; each tenant works with one of them. */
export type AuthorityEnvironment = 'test' | 'production';

export const AUTHORITY_ENVIRONMENTS: readonly AuthorityEnvironment[] = ['test', 'production'];

/** One taxpayer, identified by its EDB throughout the service. */
export type Tenant = {
  readonly edb: Edb;
  readonly name: string;
  readonly environment: AuthorityEnvironment;
  readonly outboundEnabled: boolean;
  /** The authority's identifier of the person in whose name calls are made. */
  readonly eujpId: string | null;
  /** Null while delivery is not stopped. */
  readonly stopped: DeliveryStop | null;
};

/** The authority does not accept the tenant's account: nothing is sent with it until the given time. */
export type DeliveryStop = { readonly until: number; readonly since: number; readonly reason: string };

/** What the operator sets. Whether delivery is stopped follows from the authority's answers. */
export type TenantSettings = Omit<Tenant, 'stopped'>;

const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 15 * 60_000;

/** How long delivery is stopped the n-th time in a row. */
export function stopPauseMs(times: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, times - 1), MAX_PAUSE_MS);
}
