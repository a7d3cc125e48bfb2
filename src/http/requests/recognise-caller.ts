import type { FastifyRequest } from 'fastify';
import type { RecognisedKey, RecogniseKey } from '../../application/accounts/recognise-key.ts';
import { headerText } from './request-context.ts';

/** Finds whose key a request carries, also where there is no authentication: at unknown paths, for wrong methods and the like. */
export type RecogniseCaller = (request: FastifyRequest) => Promise<RecognisedKey | null>;

export function createRecogniseCaller(recogniseKey: RecogniseKey): RecogniseCaller {
  return async (request) => {
    const { context } = request;
    if (!context.isKeyLookedUp) {
      context.isKeyLookedUp = true;
      const apiKey = headerText(request, 'x-api-key')?.trim() ?? '';
      context.identity = apiKey === '' ? null : await recogniseKey(apiKey);
    }
    return context.identity;
  };
}
