import type { LineAnswer, WaitingRequests } from '../../../domain/accounts/request-line.ts';
import type { AuthorityEnvironment } from '../../../domain/accounts/tenant.ts';

export type PaceStore = {
  /** Asks for the user's next turn for the requests that wait in this process, and lets other processes know of them. */
  readonly ask: (
    environment: AuthorityEnvironment,
    eujpId: string,
    requests: WaitingRequests,
    now: number,
    intervalMs: number,
  ) => Promise<LineAnswer>;
  /** Lets no turn of the user begin before the time. */
  readonly postpone: (environment: AuthorityEnvironment, eujpId: string, freeAt: number) => Promise<void>;
};
