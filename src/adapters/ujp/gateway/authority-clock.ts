import { AuthorityCallError } from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import { AUTHORITY_ENVIRONMENTS, type AuthorityEnvironment } from '../../../domain/accounts/tenant.ts';
import { createAnswerCache } from '../../platform/ttl-cache.ts';
import type { JsonObject } from '../answers/json-object.ts';
import { skopjeInstant, skopjeInstants, skopjeTime } from './skopje-time.ts';

/** In this time clocks drift by far less than the five minutes that the authority tolerates (E40122). */
const MAX_OFFSET_AGE_MS = 10 * 60_000;

/** A request states whole seconds, and may have been made at the end of its second. */
const CUT_OFF_MS = 999;

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
  /**
   * How long ago, by the authority's clock as it is now, a request with this time was made. Our own clock plays no part in it. In the
   * hour that the end of summer time repeats it is the least that it can be.
   */
  readonly sinceRequestMs: (environment: AuthorityEnvironment, madeAt: string | number) => Promise<number>;
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
    return skopjeInstant(answer['timestamp'], clock.now()) ?? unreadable(environment);
  }

  async function sinceRequestMs(environment: AuthorityEnvironment, madeAt: string | number): Promise<number> {
    const latest = typeof madeAt === 'number' ? madeAt : (skopjeInstants(madeAt).at(-1) ?? Number.NaN) + CUT_OFF_MS;
    if (Number.isNaN(latest)) throw new Error(`"${madeAt}" is no time of a request`);
    const answer = await fetchServerTime(environment);
    const [earliest = unreadable(environment)] = skopjeInstants(answer['timestamp']);
    return earliest - latest;
  }

  async function measureOffset(environment: AuthorityEnvironment): Promise<number> {
    const instant = await serverTime(environment);
    return instant - clock.now();
  }

  return {
    serverTime,
    sinceRequestMs,
    requestTimestamp: async (environment) => {
      const offsetMs = await offsets.answer(environment, () => measureOffset(environment));
      return skopjeTime(clock.now() + offsetMs);
    },
    forget: (environment) => offsets.delete(environment),
  };
}

function unreadable(environment: AuthorityEnvironment): never {
  const sentence = `The server time of the authority's ${environment} installation cannot be read`;
  throw new AuthorityCallError(sentence, { kind: 'error', isUncertain: true });
}
