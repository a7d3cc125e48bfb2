import type { Tenant } from '../../domain/accounts/tenant.ts';
import { AuthorityCallError, type CallErrorKind } from './authority.ts';

/** The authority allows each user one request a second; all requests in one name take turns. */
export type Pace = {
  /** Waits for the tenant's next turn. Interrupted when the service stops, unless the request is on record already. */
  readonly turn: (tenant: Tenant, options?: { readonly mustComplete?: boolean }) => Promise<Leave>;
};

/** To be called when the request leaves, or will not leave: the next turn is counted from then. */
export type Leave = () => void;

/** Others of the same user were before it for too long: the wait was ours, and says nothing of the authority. */
export class NoTurnInTime extends AuthorityCallError {
  constructor(message: string) {
    super(message, { kind: 'timeout' });
  }
}

const OF_ACCOUNT: ReadonlySet<CallErrorKind> = new Set(['credentials', 'request-refused']);

/**
 * Whether a query failed because of who asked, or when: its account was not accepted, or it had no turn in time. Then a tenant that waited
 * for the same answer asks for itself.
 */
export function isAboutAsker(error: unknown): boolean {
  return error instanceof NoTurnInTime || (error instanceof AuthorityCallError && OF_ACCOUNT.has(error.kind));
}
