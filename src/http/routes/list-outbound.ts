import type { ReadOutbound } from '../../application/outbound/read-outbound.ts';
import { isOutboundStatus } from '../../domain/documents/outbound-status.ts';
import { outboundListItem } from '../answers/outbound-json.ts';
import { outboundPage } from '../answers/schemas.ts';
import { instant, integers, page, pageSize, taxNumber } from '../requests/query.ts';
import { callerOf } from '../requests/request-context.ts';
import { addCall, type Mount } from '../route.ts';

const PARAMETERS = {
  dateFrom: instant('from', 'Only documents created at this time or later.'),
  dateTo: instant('to', 'Only documents created at this time or earlier.'),
  status: integers('Only documents in these statuses; repeat the parameter, or separate the numbers by commas.'),
  partnerEdb: taxNumber('Only documents to the recipient with this tax number.'),
  page,
  pageSize,
};

export function listOutboundRoute(mount: Mount, { readOutbound }: { readonly readOutbound: ReadOutbound }): void {
  addCall(mount, {
    method: 'GET',
    path: '/outbound',
    operationId: 'listOutbound',
    summary: 'Lists outbound documents, newest first.',
    description:
      'A page of the documents that match all filters, by time of creation and then by docUid, both descending. Counts are exact; a page past the end is empty.',
    tag: 'outbound',
    parameters: PARAMETERS,
    success: { 200: outboundPage },
    errors: ['ERR-3005'],
    async answer(request, _reply, query) {
      const filter = {
        created: { from: query.dateFrom, to: query.dateTo },
        statuses: query.status === null ? null : [...new Set(query.status)].filter(isOutboundStatus),
        partnerEdb: query.partnerEdb,
      };
      const found = await readOutbound.list(callerOf(request).tenant.edb, filter, query);
      return { ...found, items: found.items.map(outboundListItem) };
    },
  });
}
