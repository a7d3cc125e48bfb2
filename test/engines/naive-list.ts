import type { InboundFilter } from '../../src/application/ports/storage/inbound-store.ts';
import type { Listed } from '../../src/application/ports/storage/lists.ts';
import type { OutboundFilter } from '../../src/application/ports/storage/outbound-store.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import type { PageRequest } from '../../src/domain/values/page.ts';

/** A partner as documents show it: its tax number and its country. */
export type Partner = { readonly number: string; readonly country: string };

const nameOf = ({ country, number }: Partner) => `${country} ${number}`;

/**
 * The partners of a list whose number may be meant: as it is shown, or but for blanks, case and the country before it; where it may be an
 * EDB, those who show it so, or else the taxpayer. A partner of a thousand documents is looked at once.
 */
function isMeant(asked: string | null, partners: readonly (Partner | null)[]): (partner: Partner | null) => boolean {
  if (asked === null) return () => true;
  const folded = (text: string) => text.replaceAll(' ', '').toUpperCase();
  const without = ({ number, country }: Partner) =>
    folded(number).startsWith(country) ? folded(number).slice(country.length) : folded(number);
  const identity = (partner: Partner) => `${partner.country} ${without(partner)}`;
  const known = partners.filter((partner) => partner !== null);
  const all = [...new Map(known.map((partner) => [nameOf(partner), partner])).values()];
  const alike = all.filter((one) => [without(one), `${one.country}${without(one)}`].includes(folded(asked)));
  const exact = alike.filter(({ number }) => number === asked);
  const home = alike.filter(({ country }) => country === 'MK');
  const mayBeEdb = /^(?:MK)?\d{13}$/u.test(folded(asked));
  const first = (mayBeEdb ? [exact, home] : []).find(({ length }) => length > 0) ?? alike;
  const meant = new Set(first.map(identity));
  const names = new Set(all.filter((partner) => meant.has(identity(partner))).map(nameOf));
  return (partner) => partner !== null && names.has(nameOf(partner));
}

/** A list as anybody would write it down: filter, sort, slice, count. What the store answers must equal this. */
export type ListedOutbound = {
  readonly docUid: DocUid;
  readonly createdAt: number;
  readonly partnerEdb: string | null;
  /** Of North Macedonia, unless it says otherwise. */
  readonly partnerCountry?: string;
  status: OutboundStatus;
};

export type ListedInbound = {
  readonly docUid: DocUid;
  readonly receivedAt: number;
  readonly senderEdb: string | null;
  readonly senderCountry?: string;
  ackedAt: number | null;
};

function partnerOf({ partnerEdb: number, partnerCountry: country = 'MK' }: ListedOutbound): Partner | null {
  return number === null ? null : { number, country };
}

function senderOf({ senderEdb: number, senderCountry: country = 'MK' }: ListedInbound): Partner | null {
  return number === null ? null : { number, country };
}

export function naiveOutbound(
  documents: readonly ListedOutbound[],
  filter: OutboundFilter,
  page: PageRequest,
): Listed<ListedOutbound> {
  return cut(matchingOutbound(documents, filter), page);
}

/** All that the filter asks for, the newest first. */
export function matchingOutbound(
  documents: readonly ListedOutbound[],
  { created, statuses, partnerEdb }: OutboundFilter,
): readonly ListedOutbound[] {
  const isAsked = isMeant(partnerEdb, documents.map(partnerOf));
  const matching = documents.filter(
    (document) =>
      (created.from === null || document.createdAt >= created.from) &&
      (created.to === null || document.createdAt <= created.to) &&
      (statuses === null || statuses.includes(document.status)) &&
      isAsked(partnerOf(document)),
  );
  return newestFirst(matching, (document) => document.createdAt);
}

export function naiveInbound(
  documents: readonly ListedInbound[],
  { received, senderEdb, onlyNotImported }: InboundFilter,
  page: PageRequest,
): Listed<ListedInbound> {
  const isAsked = isMeant(senderEdb, documents.map(senderOf));
  const matching = documents.filter(
    (document) =>
      (received.from === null || document.receivedAt >= received.from) &&
      (received.to === null || document.receivedAt <= received.to) &&
      isAsked(senderOf(document)) &&
      (!onlyNotImported || document.ackedAt === null),
  );
  return cut(
    newestFirst(matching, (document) => document.receivedAt),
    page,
  );
}

function newestFirst<Document extends { readonly docUid: DocUid }>(
  matching: readonly Document[],
  timeOf: (document: Document) => number,
): readonly Document[] {
  return matching.toSorted((a, b) => timeOf(b) - timeOf(a) || (a.docUid < b.docUid ? 1 : a.docUid > b.docUid ? -1 : 0));
}

/** A page of what matches. */
export function cut<Document>(matching: readonly Document[], { page, pageSize }: PageRequest): Listed<Document> {
  return { items: matching.slice((page - 1) * pageSize, page * pageSize), totalCount: matching.length };
}
