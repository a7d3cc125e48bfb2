import type { AuthorityEnvironment } from '../../../domain/accounts/tenant.ts';

export type PaceStore = {
  /** Takes the user's next free turn and returns when it is. */
  readonly reserve: (
    environment: AuthorityEnvironment,
    eujpId: string,
    now: number,
    intervalMs: number,
  ) => Promise<number>;
};
