import type { Clock } from '../../application/ports/platform.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { pingResult } from '../answers/schemas.ts';
import { describe, type Mount } from '../route.ts';

export function pingRoute({ app, authenticated }: Mount, { clock }: { readonly clock: Clock }): void {
  const schema = describe({
    operationId: 'ping',
    summary: 'Confirms that the service is reachable and that the key is valid.',
    tag: 'ping',
    success: { 200: pingResult },
    errors: [],
  });
  app.get('/ping', { schema, onRequest: authenticated }, async () => ({
    ok: true,
    keyValid: true,
    serverTime: formatInstant(clock.now()),
  }));
}
