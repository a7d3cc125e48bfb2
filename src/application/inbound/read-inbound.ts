import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import {
  INBOUND_REPRESENTATIONS,
  type InboundDocument,
  type InboundRepresentation,
  type InboundSummary,
} from '../../domain/documents/inbound-document.ts';
import { type Page, type PageRequest, pageOf } from '../../domain/values/page.ts';
import { documentNotFound } from '../errors/document-not-found.ts';
import { representationMissing, unknownRepresentation } from '../errors/representation-missing.ts';
import type { ReadArchivedFile } from '../maintenance/read-archived-file.ts';
import type { InboundFile, InboundFilter, InboundStore } from '../ports/storage/inbound-store.ts';

type Needs = {
  readonly inbound: Pick<InboundStore, 'find' | 'list' | 'file'>;
  readonly archived: ReadArchivedFile;
};

export type ReadInbound = {
  readonly detail: (tenant: Edb, docUid: DocUid) => Promise<InboundDocument>;
  readonly list: (tenant: Edb, filter: InboundFilter, page: PageRequest) => Promise<Page<InboundSummary>>;
  readonly file: (tenant: Edb, docUid: DocUid, format: string) => Promise<InboundFile>;
};

export function readInbound({ inbound, archived }: Needs): ReadInbound {
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
      if (!isRepresentation(format)) throw unknownRepresentation(INBOUND_REPRESENTATIONS);
      const file = (await inbound.file(tenant, docUid, format)) ?? (await archived(tenant, 'inbound', docUid, format));
      if (file === null) throw representationMissing(format);
      return file;
    },
  };
}

function isRepresentation(format: string): format is InboundRepresentation {
  return (INBOUND_REPRESENTATIONS as readonly string[]).includes(format);
}
