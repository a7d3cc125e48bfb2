import { AuthorityCallError } from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { AuthorityEnvironment } from '../../../domain/accounts/tenant.ts';
import type { JsonObject } from '../answers/json-object.ts';
import { skopjeInstant, skopjeTime } from './skopje-time.ts';

/** Clocks drift by far less than the five minutes that the authority allows. */
const KEPT_MS = 10 * 60_000;

type Needs = {
  /** The answer of the service that tells the time. */
  readonly ask: (environment: AuthorityEnvironment) => Promise<JsonObject>;
  readonly clock: Clock;
};

type Offset = { readonly offsetMs: Promise<number>; readonly takenAt: number };

export type AuthorityClock = {
  /** The time by the authority's clock, in milliseconds since 1970, asked for now. */
  readonly serverTime: (environment: AuthorityEnvironment) => Promise<number>;
  /** The same, as it must stand in a request, from how far the two clocks are known to be apart. */
  readonly requestTimestamp: (environment: AuthorityEnvironment) => Promise<string>;
  /** What is known about the authority's clock was wrong. */
  readonly forget: (environment: AuthorityEnvironment) => void;
};

/** The authority's clock, which decides whether a request was made just now. */
export function createAuthorityClock({ ask, clock }: Needs): AuthorityClock {
  const offsets = new Map<AuthorityEnvironment, Offset>();

  async function serverTime(environment: AuthorityEnvironment): Promise<number> {
    const answer = await ask(environment);
    const instant = skopjeInstant(answer['timestamp'], clock.now());
    if (instant !== null) return instant;
    const sentence = `The authority's ${environment} installation does not tell the time in a way that can be read`;
    throw new AuthorityCallError(sentence, { kind: 'error', isUncertain: true });
  }

  async function takeOffset(environment: AuthorityEnvironment): Promise<number> {
    const instant = await serverTime(environment);
    return instant - clock.now();
  }

  /** Requests that come together ask for the time once; a failure is nobody's but theirs. */
  function offsetOf(environment: AuthorityEnvironment): Promise<number> {
    const known = offsets.get(environment);
    const age = clock.now() - (known?.takenAt ?? Number.NEGATIVE_INFINITY);
    if (known !== undefined && age >= 0 && age < KEPT_MS) return known.offsetMs;
    const taken = { offsetMs: takeOffset(environment), takenAt: clock.now() };
    offsets.set(environment, taken);
    taken.offsetMs.catch(() => {
      if (offsets.get(environment) === taken) offsets.delete(environment);
    });
    return taken.offsetMs;
  }

  return {
    serverTime,
    requestTimestamp: async (environment) => {
      const offsetMs = await offsetOf(environment);
      return skopjeTime(clock.now() + offsetMs);
    },
    forget: (environment) => void offsets.delete(environment),
  };
}
