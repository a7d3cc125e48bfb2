import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { OutboundDocument, StatusChange } from '../../domain/documents/outbound-document.ts';
import { documentNotFound } from '../errors/document-not-found.ts';
import type { RecordedAttempt } from '../ports/storage/delivery-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

export type OutboundDetails = {
  readonly tenant: Edb;
  readonly document: OutboundDocument;
  readonly history: readonly StatusChange[];
  readonly attempts: readonly RecordedAttempt[];
  /** What the authority's form of the document leaves out, in sentences. */
  readonly warnings: readonly string[];
  /** When a worker comes next; null when there is nothing left to do. */
  readonly dueAt: number | null;
};

export type DescribeOutbound = (tenant: Edb, docUid: DocUid) => Promise<OutboundDetails>;

/** All that is known of a document, for the operator. */
export function describeOutbound({ storage }: { readonly storage: Storage }): DescribeOutbound {
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
