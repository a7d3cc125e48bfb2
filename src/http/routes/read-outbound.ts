import type { ReadOutbound } from '../../application/outbound/read-outbound.ts';
import { outboundDetail } from '../answers/outbound-json.ts';
import { documentPath, outboundDocument } from '../answers/schemas.ts';
import { callerOf, requestedDocUid } from '../requests/request-context.ts';
import { describe, type Mount } from '../route.ts';

export function readOutboundRoute(
  { app, authenticated }: Mount,
  { readOutbound }: { readonly readOutbound: ReadOutbound },
): void {
  const schema = describe({
    operationId: 'readOutbound',
    summary: 'One outbound document.',
    tag: 'outbound',
    params: documentPath,
    success: { 200: outboundDocument },
    errors: ['ERR-3001'],
  });
  app.get('/outbound/:docUid', { schema, onRequest: authenticated }, async (request) =>
    outboundDetail(await readOutbound.detail(callerOf(request).tenant.edb, requestedDocUid(request))),
  );
}
