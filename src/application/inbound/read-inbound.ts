import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import {
  INBOUND_REPRESENTATIONS,
  type InboundDocument,
  type InboundRepresentation,
  type InboundSummary,
} from '../../domain/documents/inbound-document.ts';
import { type Page, type PageRequest, pageOf } from '../../domain/values/page.ts';
import { documentNotFound, representationMissing } from '../errors/document-not-found.ts';
import type { ArchiveStore } from '../ports/storage/archive-store.ts';
import type { InboundFile, InboundFilter, InboundStore } from '../ports/storage/inbound-store.ts';

type Needs = {
  readonly inbound: Pick<InboundStore, 'find' | 'list' | 'file'>;
  readonly archive: Pick<ArchiveStore, 'archivedAt'>;
};

export type ReadInbound = {
  readonly detail: (tenant: Edb, docUid: DocUid) => Promise<InboundDocument>;
  readonly list: (tenant: Edb, filter: InboundFilter, page: PageRequest) => Promise<Page<InboundSummary>>;
  readonly file: (tenant: Edb, docUid: DocUid, format: string) => Promise<InboundFile>;
};

export function readInbound({ inbound, archive }: Needs): ReadInbound {
  async function detail(tenant: Edb, docUid: DocUid): Promise<InboundDocument> {
    const document = await inbound.find(tenant, docUid);
    if (document === null) throw documentNotFound();
    return document;
  }

  return {
    detail,
    async list(tenant, filter, page) {
      const { items, totalCount } = await inbound.list(tenant, filter, page);
      return pageOf(page, items, totalCount);
    },
    async file(tenant, docUid, format) {
      await detail(tenant, docUid);
      const file = isRepresentation(format) ? await inbound.file(tenant, docUid, format) : null;
      if (file !== null) return file;
      const archivedAt = await archive.archivedAt(tenant, 'inbound', docUid);
      throw representationMissing(format, INBOUND_REPRESENTATIONS, archivedAt);
    },
  };
}

function isRepresentation(format: string): format is InboundRepresentation {
  return (INBOUND_REPRESENTATIONS as readonly string[]).includes(format);
}
