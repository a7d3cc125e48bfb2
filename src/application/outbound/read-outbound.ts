import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import {
  OUTBOUND_REPRESENTATIONS,
  type OutboundDocument,
  type OutboundRepresentation,
  type OutboundSummary,
  type StatusChange,
} from '../../domain/documents/outbound-document.ts';
import { type Page, type PageRequest, pageOf } from '../../domain/values/page.ts';
import { documentNotFound, representationMissing } from '../errors/document-not-found.ts';
import type { ArchiveStore } from '../ports/storage/archive-store.ts';
import type { StoredRepresentation } from '../ports/storage/lists.ts';
import type { OutboundFilter, OutboundStore } from '../ports/storage/outbound-store.ts';

type Needs = {
  readonly outbound: Pick<OutboundStore, 'find' | 'list' | 'history' | 'file'>;
  readonly archive: Pick<ArchiveStore, 'archivedAt'>;
};

export type ReadOutbound = {
  readonly detail: (tenant: Edb, docUid: DocUid) => Promise<OutboundDocument>;
  readonly list: (tenant: Edb, filter: OutboundFilter, page: PageRequest) => Promise<Page<OutboundSummary>>;
  readonly history: (tenant: Edb, docUid: DocUid) => Promise<readonly StatusChange[]>;
  readonly file: (tenant: Edb, docUid: DocUid, format: string) => Promise<StoredRepresentation>;
};

export function readOutbound({ outbound, archive }: Needs): ReadOutbound {
  async function detail(tenant: Edb, docUid: DocUid): Promise<OutboundDocument> {
    const document = await outbound.find(tenant, docUid);
    if (document === null) throw documentNotFound();
    return document;
  }

  return {
    detail,
    async list(tenant, filter, page) {
      const { items, totalCount } = await outbound.list(tenant, filter, page);
      return pageOf(page, items, totalCount);
    },
    async history(tenant, docUid) {
      await detail(tenant, docUid);
      return outbound.history(tenant, docUid);
    },
    async file(tenant, docUid, format) {
      await detail(tenant, docUid);
      const file = isRepresentation(format) ? await outbound.file(tenant, docUid, format) : null;
      if (file !== null) return file;
      const archivedAt = await archive.archivedAt(tenant, 'outbound', docUid);
      throw representationMissing(format, OUTBOUND_REPRESENTATIONS, archivedAt);
    },
  };
}

function isRepresentation(format: string): format is OutboundRepresentation {
  return (OUTBOUND_REPRESENTATIONS as readonly string[]).includes(format);
}
