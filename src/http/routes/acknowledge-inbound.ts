import type { AcknowledgeInbound } from '../../application/inbound/acknowledge-inbound.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { acknowledgement, documentPath } from '../answers/schemas.ts';
import { callerOf, requestedDocUid } from '../requests/request-context.ts';
import { describe, type Mount } from '../route.ts';

type Needs = { readonly acknowledgeInbound: AcknowledgeInbound };

export function acknowledgeInboundRoute({ app, authenticated }: Mount, needs: Needs): void {
  const schema = describe({
    operationId: 'acknowledgeInbound',
    summary: 'Acknowledges that the client has taken the document over. A repeat changes nothing.',
    tag: 'inbound',
    params: documentPath,
    success: { 200: acknowledgement },
    errors: ['ERR-3001'],
  });
  const options = { schema, onRequest: authenticated };
  app.post('/inbound/:docUid/ack', options, async (request) => {
    const { docUid, ackedAt } = await needs.acknowledgeInbound(callerOf(request), requestedDocUid(request));
    return { docUid, ackedAt: formatInstant(ackedAt) };
  });
}
