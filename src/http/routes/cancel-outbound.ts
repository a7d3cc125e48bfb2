import type { CancelOutbound } from '../../application/outbound/cancel-outbound.ts';
import { cancelResult, documentPath } from '../answers/schemas.ts';
import type { RefuseBody } from '../requests/refuse-body.ts';
import { callerOf } from '../requests/request-context.ts';
import { describe, type Mount } from '../route.ts';

type Needs = { readonly cancelOutbound: CancelOutbound; readonly refuseBody: RefuseBody };

export function cancelOutboundRoute({ app, authenticated }: Mount, { cancelOutbound, refuseBody }: Needs): void {
  const schema = describe({
    operationId: 'cancelOutbound',
    summary: 'Cancels an outbound document that was not handed to the authority yet.',
    tag: 'outbound',
    params: documentPath,
    success: { 200: cancelResult },
    errors: ['ERR-1007', 'ERR-3001', 'ERR-3003', 'ERR-3004'],
  });
  const options = { schema, onRequest: authenticated };
  app.post<{ Params: { docUid: string } }>('/outbound/:docUid/cancel', options, async (request, reply) => {
    await refuseBody(request, reply);
    return cancelOutbound(callerOf(request), request.params.docUid);
  });
}
