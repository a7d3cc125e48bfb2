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
import { documentNotFound } from '../errors/document-not-found.ts';
import { containerMissing, representationMissing, unknownRepresentation } from '../errors/representation-missing.ts';
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

  /** Null when no further step will be taken for the document. */
  async function waitMs(tenant: Edb, docUid: DocUid): Promise<number | null> {
    const dueAt = await deliveries.dueAt(tenant, docUid);
    return dueAt === null ? null : Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, dueAt - clock.now()));
  }

  async function find(tenant: Edb, docUid: DocUid, format: OutboundRepresentation) {
    return (await outbound.file(tenant, docUid, format)) ?? (await archived(tenant, 'outbound', docUid, format));
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
      const file = await find(tenant, docUid, format);
      if (file !== null) return file;
      if (format !== 'ujp') throw representationMissing(format);
      if (!UNDER_WAY.has(status)) throw containerMissing(status, null);
      const wait = await waitMs(tenant, docUid);
      // Nothing is due either because the container has arrived since it was looked for, or because it will not come any more.
      const arrived = wait === null ? await find(tenant, docUid, format) : null;
      if (arrived !== null) return arrived;
      throw containerMissing(status, wait);
    },
  };
}

const { received, processing, sent, accepted } = OUTBOUND_STATUS;
/** From these the authority's file can still come. */
const UNDER_WAY: ReadonlySet<OutboundStatus> = new Set([received, processing, sent, accepted]);

function isRepresentation(format: string): format is OutboundRepresentation {
  return (OUTBOUND_REPRESENTATIONS as readonly string[]).includes(format);
}
