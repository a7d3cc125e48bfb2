import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Authenticate, CheckKey, Credentials } from '../../application/accounts/authenticate.ts';
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
    request.context.isKeyLookedUp = true;
    const identity = await authenticate(credentialsOf(request), {
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

/** A change of a key must be effective within two seconds, and what is known of it may be a second old. */
const CHECKED_AGAIN_MS = 1_000;

/** Checks the key of a call once more where it has taken long, before it changes or tells anything. */
export type CheckKeyAgain = (request: FastifyRequest) => Promise<void>;

export function createCheckKeyAgain(checkKey: CheckKey): CheckKeyAgain {
  return async (request) => {
    const { elapsedMs, startedMs } = request.context;
    if (request.caller !== null && elapsedMs() - startedMs >= CHECKED_AGAIN_MS) await checkKey(credentialsOf(request));
  };
}

function credentialsOf(request: FastifyRequest): Credentials {
  const { isAddressKnown, address } = request.context;
  return {
    apiKey: headerText(request, 'x-api-key')?.trim(),
    softwareId: softwareIdOf(request),
    address: isAddressKnown ? address : null,
  };
}

/** Headers of the same name arrive as one, with a comma between them, also where all of them are blank. */
function softwareIdOf(request: FastifyRequest): string | undefined {
  const text = headerText(request, 'x-software-id');
  return text?.split(', ').every((one) => one.trim() === '') === true ? '' : text;
}
