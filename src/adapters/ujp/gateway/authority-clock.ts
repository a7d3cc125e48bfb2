import { AuthorityCallError } from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import { AUTHORITY_ENVIRONMENTS, type AuthorityEnvironment } from '../../../domain/accounts/tenant.ts';
import { createAnswerCache } from '../../platform/ttl-cache.ts';
import type { JsonObject } from '../answers/json-object.ts';
import { skopjeInstant, skopjeTime } from './skopje-time.ts';

/** In this time clocks drift by far less than the five minutes that the authority tolerates (E40122). */
const MAX_OFFSET_AGE_MS = 10 * 60_000;

type Needs = {
  /** The answer of the authority's `server-time` service. */
  readonly fetchServerTime: (environment: AuthorityEnvironment) => Promise<JsonObject>;
  readonly clock: Clock;
};

export type AuthorityClock = {
  /** The authority's time in milliseconds since 1970, fetched now. */
  readonly serverTime: (environment: AuthorityEnvironment) => Promise<number>;
  /** The authority's time as a request must state it: our clock plus the last measured offset. */
  readonly requestTimestamp: (environment: AuthorityEnvironment) => Promise<string>;
  /** Discards the offset, so that the next request measures it again. */
  readonly forget: (environment: AuthorityEnvironment) => void;
};

/** The authority refuses a request whose timestamp is more than five minutes from its own clock, so we follow that clock. */
export function createAuthorityClock({ fetchServerTime, clock }: Needs): AuthorityClock {
  const offsets = createAnswerCache<AuthorityEnvironment, number>(clock, {
    keptMs: MAX_OFFSET_AGE_MS,
    most: AUTHORITY_ENVIRONMENTS.length,
  });

  async function serverTime(environment: AuthorityEnvironment): Promise<number> {
    const answer = await fetchServerTime(environment);
    const instant = skopjeInstant(answer['timestamp'], clock.now());
    if (instant !== null) return instant;
    const sentence = `The server time of the authority's ${environment} installation cannot be read`;
    throw new AuthorityCallError(sentence, { kind: 'error', isUncertain: true });
  }

  async function measureOffset(environment: AuthorityEnvironment): Promise<number> {
    const instant = await serverTime(environment);
    return instant - clock.now();
  }

  return {
    serverTime,
    requestTimestamp: async (environment) => {
      const offsetMs = await offsets.answer(environment, () => measureOffset(environment));
      return skopjeTime(clock.now() + offsetMs);
    },
    forget: (environment) => offsets.delete(environment),
  };
}
