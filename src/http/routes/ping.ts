import type { Clock } from '../../application/ports/platform.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { pingResult } from '../answers/schemas.ts';
import { addCall, type Mount, NO_PARAMETERS } from '../route.ts';

export function pingRoute(mount: Mount, { clock }: { readonly clock: Clock }): void {
  addCall(mount, {
    method: 'GET',
    path: '/ping',
    operationId: 'ping',
    summary: 'Confirms that the service is reachable and that the key is valid.',
    description: 'Touches no document. Errors say what is wrong with the key.',
    tag: 'ping',
    parameters: NO_PARAMETERS,
    success: { 200: pingResult },
    errors: [],
    answer: async () => ({ ok: true, keyValid: true, serverTime: formatInstant(clock.now()) }),
  });
}
