import type { ReadOutbound } from '../../application/outbound/read-outbound.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { documentPath, statusHistory } from '../answers/schemas.ts';
import { callerOf, requestedDocUid } from '../requests/request-context.ts';
import { addCall, type Mount, NO_PARAMETERS } from '../route.ts';

type Needs = { readonly readOutbound: ReadOutbound };

export function readOutboundHistoryRoute(mount: Mount, { readOutbound }: Needs): void {
  addCall(mount, {
    method: 'GET',
    path: '/outbound/:docUid/history',
    operationId: 'readOutboundHistory',
    summary: 'The status history of an outbound document, failed attempts included.',
    description:
      'Each change of status is one row, a failed attempt included, in the order in which they happened. A rejection by the buyer and a void are rows too: status 40 again, with a failureCode and the time of the authority.',
    tag: 'outbound',
    params: documentPath,
    parameters: NO_PARAMETERS,
    success: { 200: statusHistory },
    errors: ['ERR-3001'],
    async answer(request) {
      const docUid = requestedDocUid(request);
      const changes = await readOutbound.history(callerOf(request).tenant.edb, docUid);
      return { docUid, transitions: changes.map((change) => ({ ...change, at: formatInstant(change.at) })) };
    },
  });
}
