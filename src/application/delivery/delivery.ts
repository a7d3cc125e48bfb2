import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { CallOrigin } from '../../domain/audit/call-origin.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { Authority } from '../ports/authority.ts';
import type { DocumentReader } from '../ports/document-reader.ts';
import type { Clock, Hasher, Random } from '../ports/platform.ts';
import type { ClaimedDocument } from '../ports/storage/delivery-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { Tracer } from '../ports/telemetry/tracer.ts';

/** One claimed document in the hands of a worker. */
export type Delivery = {
  readonly tenant: Tenant;
  readonly document: ClaimedDocument;
  /** The lease token: proves that the document is still this worker's. */
  readonly token: string;
  /** When the worker claimed it and read its tenant. */
  readonly claimedAt: number;
};

/** What happened to a document, for the log and the metrics. */
export type DeliveryEvent = {
  readonly outcome: 'accepted' | 'rejected' | 'failed' | 'retry' | 'unknown' | 'lease-lost' | 'stray-registration';
  readonly tenant: Tenant;
  readonly docUid: DocUid;
  /** The call that brought the document. */
  readonly origin?: CallOrigin;
  readonly failureCode: string | null;
  /** What it changed for the tenant's queue: nothing where it is left out. */
  readonly queue?: 'stopped' | 'resumed';
  /** For the operator; nothing of the document's content. */
  readonly message: string | null;
};

export type DeliveryNeeds = {
  readonly storage: Storage;
  readonly authority: Authority;
  readonly reader: Pick<DocumentReader, 'content'>;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly random: Random;
  /** How long a step may take before the document counts as abandoned, unless the lease is renewed. */
  readonly leaseMs: number;
  /** How long after it was sent a request can still be carried out by the authority. */
  readonly outcomeWindowMs: number;
  readonly report: (event: DeliveryEvent) => void;
  /** Lets a large document wait until there is memory for it; where there is none, none waits. */
  readonly memory?: DeliveryMemory;
  readonly tracer?: Tracer;
};

export type DeliveryMemory = {
  readonly run: <Result>(owner: string, bytes: number, work: () => Promise<Result>) => Promise<Result>;
};
