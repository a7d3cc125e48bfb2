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
};
