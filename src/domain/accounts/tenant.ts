import type { Edb } from './edb.ts';

/** Which of the authority's two installations a tenant works with. */
export type AuthorityEnvironment = 'test' | 'production';

export const AUTHORITY_ENVIRONMENTS: readonly AuthorityEnvironment[] = ['test', 'production'];

/** One taxpayer. Its EDB identifies it everywhere in the service. */
export type Tenant = {
  readonly edb: Edb;
  readonly name: string;
  readonly environment: AuthorityEnvironment;
  readonly outboundEnabled: boolean;
  /** The identifier, at the authority, of the person in whose name calls are made. */
  readonly eujpId: string | null;
  /** Null while nothing keeps the tenant's documents from being delivered. */
  readonly stopped: DeliveryStop | null;
};

/** The authority does not accept the tenant's account: nothing is sent in its name until the given time. */
export type DeliveryStop = { readonly until: number; readonly since: number; readonly reason: string };

/** What the operator decides about a tenant; whether its delivery is stopped follows from what the authority answers. */
export type TenantSettings = Omit<Tenant, 'stopped'>;

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** How long a tenant is left alone when its delivery is stopped for the n-th time in a row. */
export function pauseOfStop(times: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, times - 1), LONGEST_PAUSE_MS);
}
