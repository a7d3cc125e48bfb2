import type { ReadInbound } from '../../application/inbound/read-inbound.ts';
import { inboundListItem } from '../answers/inbound-json.ts';
import { inboundPage } from '../answers/schemas.ts';
import { flag, instant, page, pageSize, taxNumber } from '../requests/query.ts';
import { callerOf } from '../requests/request-context.ts';
import { addCall, type Mount } from '../route.ts';

const PARAMETERS = {
  dateFrom: instant('from', 'Only documents that arrived at this time or later.'),
  dateTo: instant('to', 'Only documents that arrived at this time or earlier.'),
  senderEdb: taxNumber('Only documents from the sender with this tax number.'),
  onlyNotImported: flag('Only documents that were not acknowledged.'),
  page,
  pageSize,
};

export function listInboundRoute(mount: Mount, { readInbound }: { readonly readInbound: ReadInbound }): void {
  addCall(mount, {
    method: 'GET',
    path: '/inbound',
    operationId: 'listInbound',
    summary: 'Lists documents received for the tenant, newest first.',
    description:
      'A page of the documents that match all filters, by time of arrival and then by docUid, both descending. To import, read the first page of onlyNotImported=true, acknowledge each document of it, and read the first page again: going on to the next page while acknowledging skips documents.',
    tag: 'inbound',
    parameters: PARAMETERS,
    success: { 200: inboundPage },
    errors: ['ERR-3005'],
    async answer(request, _reply, query) {
      const filter = {
        received: { from: query.dateFrom, to: query.dateTo },
        senderEdb: query.senderEdb,
        onlyNotImported: query.onlyNotImported,
      };
      const found = await readInbound.list(callerOf(request).tenant.edb, filter, query);
      return { ...found, items: found.items.map(inboundListItem) };
    },
  });
}
