import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceUnavailable } from '../../application/errors/service-unavailable.ts';
import type { RateLimiter } from '../../application/ports/access.ts';
import type { ApiKey } from '../../domain/accounts/api-key.ts';
import type { Allowance } from '../../domain/accounts/token-bucket.ts';
import type { RecogniseCaller } from './recognise-caller.ts';

export function setRateLimitHeaders(reply: FastifyReply, key: ApiKey, allowance: Allowance): void {
  reply.header('ratelimit-policy', `"minute";q=${key.callsPerMinute};w=60`);
  reply.header('ratelimit', `"minute";r=${allowance.remaining};t=${allowance.resetSeconds}`);
}

type Needs = { readonly recogniseCaller: RecogniseCaller; readonly allowanceOf: RateLimiter['peek'] };

/** Every answer to a recognised key says what is left of its limit, also one that was given before the call was counted. */
export function completeRateLimitHeaders({ recogniseCaller, allowanceOf }: Needs) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (reply.hasHeader('ratelimit')) return;
    try {
      const caller = await recogniseCaller(request);
      if (caller !== null) setRateLimitHeaders(reply, caller.key, await allowanceOf(caller.key));
    } catch (error) {
      // While the database is out of reach no key can be recognised; the answer itself does not depend on it.
      if (!(error instanceof ServiceUnavailable)) throw error;
    }
  };
}
