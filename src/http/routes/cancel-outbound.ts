import type { CancelOutbound } from '../../application/cancel-outbound.ts';
import type { RefuseBody } from '../refuse-body.ts';
import { describe, type Mount } from '../route.ts';
import { cancelResult, documentPath } from '../schemas.ts';
import { callerOf } from '../visit.ts';

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
