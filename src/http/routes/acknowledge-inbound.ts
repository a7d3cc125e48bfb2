import type { AcknowledgeInbound } from '../../application/inbound/acknowledge-inbound.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { acknowledgement, documentPath } from '../answers/schemas.ts';
import { callerOf, requestedDocUid } from '../requests/request-context.ts';
import { addCall, type Mount, NO_PARAMETERS } from '../route.ts';

type Needs = { readonly acknowledgeInbound: AcknowledgeInbound };

export function acknowledgeInboundRoute(mount: Mount, { acknowledgeInbound }: Needs): void {
  addCall(mount, {
    method: 'POST',
    path: '/inbound/:docUid/ack',
    operationId: 'acknowledgeInbound',
    summary: 'Acknowledges that the client has taken the document over. A repeat changes nothing.',
    description:
      'Marks the document as imported: it no longer appears with onlyNotImported=true. The first acknowledgement counts, a repeated one returns its time. It cannot be withdrawn and tells the sender nothing.',
    tag: 'inbound',
    params: documentPath,
    parameters: NO_PARAMETERS,
    success: { 200: acknowledgement },
    errors: ['ERR-3001'],
    async answer(request) {
      const { docUid, ackedAt } = await acknowledgeInbound(callerOf(request), requestedDocUid(request));
      return { docUid, ackedAt: formatInstant(ackedAt) };
    },
  });
}
