import type { ReadOutbound } from '../../application/outbound/read-outbound.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { documentPath, statusHistory } from '../answers/schemas.ts';
import { callerOf, requestedDocUid } from '../requests/request-context.ts';
import { describe, type Mount } from '../route.ts';

export function readOutboundHistoryRoute(
  { app, authenticated }: Mount,
  { readOutbound }: { readonly readOutbound: ReadOutbound },
): void {
  const schema = describe({
    operationId: 'readOutboundHistory',
    summary: 'The status history of an outbound document, failed attempts included.',
    tag: 'outbound',
    params: documentPath,
    success: { 200: statusHistory },
    errors: ['ERR-3001'],
  });
  const options = { schema, onRequest: authenticated };
  app.get('/outbound/:docUid/history', options, async (request) => {
    const docUid = requestedDocUid(request);
    const changes = await readOutbound.history(callerOf(request).tenant.edb, docUid);
    return { docUid, transitions: changes.map((change) => ({ ...change, at: formatInstant(change.at) })) };
  });
}
