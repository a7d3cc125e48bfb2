import type { Tenant } from '../../domain/accounts/tenant.ts';

/** The authority allows each user one request a second; all requests in one name take turns. */
export type Pace = {
  /** Waits for the tenant's next turn. Interrupted when the service stops, unless the request is on record already. */
  readonly turn: (tenant: Tenant, options?: { readonly mustComplete?: boolean }) => Promise<Leave>;
};

/** To be called when the request leaves, or will not leave: the next turn is counted from then. */
export type Leave = () => void;
