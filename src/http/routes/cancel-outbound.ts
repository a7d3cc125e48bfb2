import type { CancelOutbound } from '../../application/outbound/cancel-outbound.ts';
import { cancelResult, documentPath } from '../answers/schemas.ts';
import { callerOf, requestedDocUid } from '../requests/request-context.ts';
import { addCall, type Mount, NO_PARAMETERS } from '../route.ts';

type Needs = { readonly cancelOutbound: CancelOutbound };

export function cancelOutboundRoute(mount: Mount, { cancelOutbound }: Needs): void {
  addCall(mount, {
    method: 'POST',
    path: '/outbound/:docUid/cancel',
    operationId: 'cancelOutbound',
    summary: 'Cancels an outbound document that was not sent to the authority yet.',
    description:
      'Possible in the statuses 10, 20 and 55. ERR-3003 in any other, and while it is not known whether the authority has received the document; ERR-3004 if it is cancelled already. The document stays in lists, and the cancellation is a row of its history.',
    tag: 'outbound',
    params: documentPath,
    parameters: NO_PARAMETERS,
    success: { 200: cancelResult },
    errors: ['ERR-3001', 'ERR-3003', 'ERR-3004'],
    answer: (request) => cancelOutbound(callerOf(request), requestedDocUid(request)),
  });
}
