import { authorityError } from '../authority-error.ts';

const PAUSE_MS = 1_000;

export type Pacing = (eujpId: string) => void;

/** One request a second per user (the authority's published reference, §1.6), both APIs counted together. A refused request does not prolong the wait. */
export function createPacing(now: () => Date): Pacing {
  const admittedAt = new Map<string, number>();
  return (eujpId) => {
    const moment = now().getTime();
    const last = admittedAt.get(eujpId);
    // By the distance: a clock that was set back must not keep a user waiting until it has caught up.
    if (last !== undefined && Math.abs(moment - last) < PAUSE_MS) {
      throw authorityError('E4007', 'Rate limit exceeded: 1 request per second');
    }
    admittedAt.set(eujpId, moment);
  };
}

export const NO_PACING: Pacing = () => undefined;
