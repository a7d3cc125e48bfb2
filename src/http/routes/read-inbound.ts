import type { ReadInbound } from '../../application/inbound/read-inbound.ts';
import { inboundDetail } from '../answers/inbound-json.ts';
import { documentPath, inboundDocument } from '../answers/schemas.ts';
import { callerOf, requestedDocUid } from '../requests/request-context.ts';
import { describe, type Mount } from '../route.ts';

export function readInboundRoute(
  { app, authenticated }: Mount,
  { readInbound }: { readonly readInbound: ReadInbound },
): void {
  const schema = describe({
    operationId: 'readInbound',
    summary: 'One document received for the tenant.',
    tag: 'inbound',
    params: documentPath,
    success: { 200: inboundDocument },
    errors: ['ERR-3001'],
  });
  app.get('/inbound/:docUid', { schema, onRequest: authenticated }, async (request) =>
    inboundDetail(await readInbound.detail(callerOf(request).tenant.edb, requestedDocUid(request))),
  );
}
