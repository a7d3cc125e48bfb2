import type { CancelOutbound } from '../../application/outbound/cancel-outbound.ts';
import { cancelResult, documentPath } from '../answers/schemas.ts';
import type { DiscardBody } from '../requests/discard-body.ts';
import { callerOf, requestedDocUid } from '../requests/request-context.ts';
import { describe, type Mount } from '../route.ts';

type Needs = { readonly cancelOutbound: CancelOutbound; readonly discardBody: DiscardBody };

export function cancelOutboundRoute({ app, authenticated }: Mount, { cancelOutbound, discardBody }: Needs): void {
  const schema = describe({
    operationId: 'cancelOutbound',
    summary: 'Cancels an outbound document that was not sent to the authority yet.',
    tag: 'outbound',
    params: documentPath,
    success: { 200: cancelResult },
    errors: ['ERR-1007', 'ERR-3001', 'ERR-3003', 'ERR-3004'],
  });
  const options = { schema, onRequest: authenticated };
  app.post('/outbound/:docUid/cancel', options, async (request, reply) => {
    await discardBody(request, reply);
    return cancelOutbound(callerOf(request), requestedDocUid(request));
  });
}
