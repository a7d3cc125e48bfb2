import type { CancelOutbound } from '../../application/outbound/cancel-outbound.ts';
import { cancelResult, documentPath } from '../answers/schemas.ts';
import { callerOf, requestedDocUid } from '../requests/request-context.ts';
import { describe, type Mount } from '../route.ts';

type Needs = { readonly cancelOutbound: CancelOutbound };

export function cancelOutboundRoute({ app, authenticated }: Mount, { cancelOutbound }: Needs): void {
  const schema = describe({
    operationId: 'cancelOutbound',
    summary: 'Cancels an outbound document that was not sent to the authority yet.',
    tag: 'outbound',
    params: documentPath,
    success: { 200: cancelResult },
    errors: ['ERR-3001', 'ERR-3003', 'ERR-3004'],
  });
  const options = { schema, onRequest: authenticated };
  app.post('/outbound/:docUid/cancel', options, async (request) => {
    return cancelOutbound(callerOf(request), requestedDocUid(request));
  });
}
