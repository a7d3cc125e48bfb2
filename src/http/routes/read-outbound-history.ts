import type { ReadOutbound } from '../../application/read-outbound.ts';
import { formatInstant } from '../../domain/instant.ts';
import { describe, type Mount } from '../route.ts';
import { documentPath, statusHistory } from '../schemas.ts';
import { callerOf } from '../visit.ts';

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
  app.get<{ Params: { docUid: string } }>('/outbound/:docUid/history', options, async (request) => {
    const { docUid } = request.params;
    const changes = await readOutbound.history(callerOf(request).tenant.edb, docUid);
    return { docUid, transitions: changes.map((change) => ({ ...change, at: formatInstant(change.at) })) };
  });
}
