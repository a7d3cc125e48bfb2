import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import {
  OUTBOUND_REPRESENTATIONS,
  type OutboundDocument,
  type OutboundRepresentation,
  type OutboundSummary,
  type StatusChange,
} from '../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS, type OutboundStatus } from '../../domain/documents/outbound-status.ts';
import { type Page, type PageRequest, pageOf } from '../../domain/values/page.ts';
import {
  containerMissing,
  documentNotFound,
  representationMissing,
  unknownRepresentation,
} from '../errors/document-not-found.ts';
import type { ReadArchivedFile } from '../maintenance/read-archived-file.ts';
import type { Clock } from '../ports/platform.ts';
import type { DeliveryStore } from '../ports/storage/delivery-store.ts';
import type { StoredRepresentation } from '../ports/storage/lists.ts';
import type { OutboundFilter, OutboundStore } from '../ports/storage/outbound-store.ts';

type Needs = {
  readonly outbound: Pick<OutboundStore, 'find' | 'list' | 'history' | 'file'>;
  readonly deliveries: Pick<DeliveryStore, 'dueAt'>;
  readonly archived: ReadArchivedFile;
  readonly clock: Clock;
};

export type ReadOutbound = {
  readonly detail: (tenant: Edb, docUid: DocUid) => Promise<OutboundDocument>;
  readonly list: (tenant: Edb, filter: OutboundFilter, page: PageRequest) => Promise<Page<OutboundSummary>>;
  readonly history: (tenant: Edb, docUid: DocUid) => Promise<readonly StatusChange[]>;
  readonly file: (tenant: Edb, docUid: DocUid, format: string) => Promise<StoredRepresentation>;
};

/** A client that waits for the authority's file comes back when the next step was due, but not at once and at least that often. */
const SHORTEST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 300_000;

export function readOutbound({ outbound, deliveries, archived, clock }: Needs): ReadOutbound {
  async function detail(tenant: Edb, docUid: DocUid): Promise<OutboundDocument> {
    const document = await outbound.find(tenant, docUid);
    if (document === null) throw documentNotFound();
    return document;
  }

  async function waitMs(tenant: Edb, docUid: DocUid): Promise<number> {
    const dueIn = ((await deliveries.dueAt(tenant, docUid)) ?? 0) - clock.now();
    return Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, dueIn));
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
      const { status } = await detail(tenant, docUid);
      if (!isRepresentation(format)) throw unknownRepresentation(OUTBOUND_REPRESENTATIONS);
      const file =
        (await outbound.file(tenant, docUid, format)) ?? (await archived(tenant, 'outbound', docUid, format));
      if (file !== null) return file;
      if (format !== 'ujp') throw representationMissing(format);
      throw containerMissing(status, UNDER_WAY.has(status) ? await waitMs(tenant, docUid) : null);
    },
  };
}

const { received, processing, sent, accepted } = OUTBOUND_STATUS;
/** From these the authority's file can still come. */
const UNDER_WAY: ReadonlySet<OutboundStatus> = new Set([received, processing, sent, accepted]);

function isRepresentation(format: string): format is OutboundRepresentation {
  return (OUTBOUND_REPRESENTATIONS as readonly string[]).includes(format);
}
