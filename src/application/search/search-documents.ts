import { parseEdb } from '../../domain/accounts/edb.ts';
import { type DocUid, parseDocUid } from '../../domain/documents/doc-uid.ts';
import { isEuid } from '../../domain/documents/euid.ts';
import { parseSha256 } from '../../domain/values/hex.ts';
import { normalText } from '../../domain/values/normal-text.ts';
import type { Clock } from '../ports/platform.ts';
import type {
  DocumentMark,
  InboundSearch,
  ListedInbound,
  ListedOutbound,
  OutboundSearch,
} from '../ports/storage/search/document-search-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

export type Found<Document> = {
  readonly documents: readonly Document[];
  /** Give it as `olderThan` to have the next page; null on the last one. */
  readonly next: DocUid | null;
  /** By the clock of the service: ages are counted up to it. */
  readonly now: number;
};

export type SearchDocuments = {
  readonly outbound: (search: Partial<OutboundSearch>, limit: number) => Promise<Found<ListedOutbound>>;
  readonly inbound: (search: Partial<InboundSearch>, limit: number) => Promise<Found<ListedInbound>>;
};

const ANY = { tenant: null, partner: null, mark: null, since: null, until: null, olderThan: null };

/** Documents of all tenants, for the operator. */
export function searchDocuments({
  storage,
  clock,
}: {
  readonly storage: Pick<Storage, 'documentSearch'>;
  readonly clock: Clock;
}): SearchDocuments {
  const { documentSearch } = storage;

  function page<Document extends { readonly docUid: DocUid }>(
    found: readonly Document[],
    limit: number,
  ): Found<Document> {
    const documents = found.slice(0, limit);
    return { documents, next: found.length > limit ? (documents.at(-1)?.docUid ?? null) : null, now: clock.now() };
  }

  return {
    async outbound(search, limit) {
      const all = { ...ANY, statuses: null, failureCode: null, ...search };
      return page(await documentSearch.outbound(all, limit + 1), limit);
    },
    async inbound(search, limit) {
      return page(await documentSearch.inbound({ ...ANY, onlyNotImported: false, ...search }, limit + 1), limit);
    },
  };
}

/**
 * What a person who types a text may mean by it, the likeliest first: a SHA-256, a docUid, an EUID, the EDB of a tenant or of a partner,
 * a number. Each is a search of its own.
 */
export function meaningsOf(text: string): readonly Pick<Partial<OutboundSearch>, 'tenant' | 'partner' | 'mark'>[] {
  const given = normalText(text);
  if (given === null) return [];
  const marks: DocumentMark[] = [];
  const docUid = parseDocUid(given.toLowerCase());
  const sha256 = parseSha256(given);
  if (sha256 !== null) marks.push({ by: 'sha256', value: sha256 });
  if (docUid !== null) marks.push({ by: 'docUid', value: docUid });
  if (isEuid(given)) marks.push({ by: 'euid', value: given });
  const edb = parseEdb(given);
  return [
    ...marks.map((mark) => ({ mark })),
    ...(edb === null ? [] : [{ tenant: edb }, { partner: edb }]),
    { mark: { by: 'documentNumber', value: given } },
  ];
}
