import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Authenticate } from '../../application/accounts/authenticate.ts';
import { setRateLimitHeaders } from './rate-limit-headers.ts';
import { callOf, headerText } from './request-context.ts';

/**
 * The hook that authenticates every call of the API. The headers of the answer say what is left of the key's own limit: calls that
 * count against another one leave them to `completeRateLimitHeaders`.
 */
export function authentication(
  authenticate: Authenticate,
  { isOwnLimit }: { readonly isOwnLimit: boolean },
): onRequestAsyncHookHandler {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const credentials = {
      apiKey: headerText(request, 'x-api-key')?.trim(),
      softwareId: headerText(request, 'x-software-id'),
      address: request.context.isAddressKnown ? request.context.address : null,
    };
    request.context.isKeyLookedUp = true;
    const identity = await authenticate(credentials, {
      keyRecognised: (key, tenant) => {
        request.context.identity = { key, tenant };
      },
      allowanceTaken: (key, allowance) => {
        request.context.isAdmitted = allowance.allowed;
        if (isOwnLimit) setRateLimitHeaders(reply, key, allowance);
      },
    });
    request.caller = { ...identity, call: callOf(request) };
  };
}
