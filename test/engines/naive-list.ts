import type { InboundFilter } from '../../src/application/ports/storage/inbound-store.ts';
import type { Listed } from '../../src/application/ports/storage/lists.ts';
import type { OutboundFilter } from '../../src/application/ports/storage/outbound-store.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import type { PageRequest } from '../../src/domain/values/page.ts';

/** A list as anybody would write it down: filter, sort, slice, count. What the store answers must equal this. */
export type ListedOutbound = {
  readonly docUid: DocUid;
  readonly createdAt: number;
  readonly partnerEdb: string | null;
  status: OutboundStatus;
};

export type ListedInbound = {
  readonly docUid: DocUid;
  readonly receivedAt: number;
  readonly senderEdb: string | null;
  ackedAt: number | null;
};

export function naiveOutbound(
  documents: readonly ListedOutbound[],
  { created, statuses, partnerEdb }: OutboundFilter,
  page: PageRequest,
): Listed<ListedOutbound> {
  const matching = documents.filter(
    (document) =>
      (created.from === null || document.createdAt >= created.from) &&
      (created.to === null || document.createdAt <= created.to) &&
      (statuses === null || statuses.includes(document.status)) &&
      (partnerEdb === null || document.partnerEdb === partnerEdb),
  );
  return cut(matching, (document) => document.createdAt, page);
}

export function naiveInbound(
  documents: readonly ListedInbound[],
  { received, senderEdb, onlyNotImported }: InboundFilter,
  page: PageRequest,
): Listed<ListedInbound> {
  const matching = documents.filter(
    (document) =>
      (received.from === null || document.receivedAt >= received.from) &&
      (received.to === null || document.receivedAt <= received.to) &&
      (senderEdb === null || document.senderEdb === senderEdb) &&
      (!onlyNotImported || document.ackedAt === null),
  );
  return cut(matching, (document) => document.receivedAt, page);
}

function cut<Document extends { readonly docUid: DocUid }>(
  matching: readonly Document[],
  timeOf: (document: Document) => number,
  { page, pageSize }: PageRequest,
): Listed<Document> {
  const newestFirst = matching.toSorted(
    (a, b) => timeOf(b) - timeOf(a) || (a.docUid < b.docUid ? 1 : a.docUid > b.docUid ? -1 : 0),
  );
  return { items: newestFirst.slice((page - 1) * pageSize, page * pageSize), totalCount: matching.length };
}
