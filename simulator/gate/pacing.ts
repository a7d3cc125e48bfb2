import { refusal } from '../refusal.ts';

const PAUSE_MS = 1_000;

export type Pacing = (eujpId: string) => void;

/** One request a second per user, over both roots together. A request turned away does not prolong the wait. */
export function createPacing(now: () => Date): Pacing {
  const admittedAt = new Map<string, number>();
  return (eujpId) => {
    const moment = now().getTime();
    const last = admittedAt.get(eujpId);
    if (last !== undefined && moment - last < PAUSE_MS) {
      throw refusal('E4007', 'Rate limit exceeded: 1 request per second');
    }
    admittedAt.set(eujpId, moment);
  };
}

export const NO_PACING: Pacing = () => undefined;
