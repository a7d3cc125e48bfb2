import type { DocUid } from '../domain/doc-uid.ts';
import type { Edb } from '../domain/edb.ts';
import type { OutboundDocument, StatusChange } from '../domain/outbound-document.ts';
import type { Attempt } from './delivery-ports.ts';
import { documentNotFound } from './document-not-found.ts';
import type { Storage } from './ports.ts';

export type OutboundStory = {
  readonly tenant: Edb;
  readonly document: OutboundDocument;
  readonly history: readonly StatusChange[];
  readonly attempts: readonly Attempt[];
  /** What the authority's form of the document leaves out, in sentences. */
  readonly warnings: readonly string[];
  /** When a worker comes next; null when there is nothing left to do. */
  readonly dueAt: number | null;
};

export type TellOutboundStory = (tenant: Edb, docUid: DocUid) => Promise<OutboundStory>;

/** All that is known of a document, for the operator. */
export function tellOutboundStory({ storage }: { readonly storage: Storage }): TellOutboundStory {
  return async (tenant, docUid) => {
    const document = await storage.outbound.find(tenant, docUid);
    if (document === null) throw documentNotFound();
    const payload = await storage.deliveries.payload(tenant, docUid);
    return {
      tenant,
      document,
      history: await storage.outbound.history(tenant, docUid),
      attempts: await storage.deliveries.attempts(tenant, docUid),
      warnings: payload?.warnings ?? [],
      dueAt: await storage.deliveries.dueAt(tenant, docUid),
    };
  };
}
