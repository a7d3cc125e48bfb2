import type { AuthorityEnvironment } from '../../../domain/accounts/tenant.ts';

export type PaceStore = {
  /** Reserves the next free time slot for a request of the user, and returns its time. */
  readonly reserve: (
    environment: AuthorityEnvironment,
    eujpId: string,
    now: number,
    intervalMs: number,
  ) => Promise<number>;
};
