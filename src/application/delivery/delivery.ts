import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { Authority } from '../ports/authority.ts';
import type { DocumentReader } from '../ports/document-reader.ts';
import type { Clock, Hasher, Random } from '../ports/platform.ts';
import type { ClaimedDocument } from '../ports/storage/delivery-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** One document in a worker's hands. */
export type Delivery = {
  readonly tenant: Tenant;
  readonly document: ClaimedDocument;
  /** Proves that the document is still this worker's. */
  readonly token: string;
  /** When the worker took it, and looked up its tenant. */
  readonly takenAt: number;
};

/** What happened to a document, for the log and the figures. */
export type DeliveryEvent = {
  readonly outcome: 'accepted' | 'rejected' | 'failed' | 'retry' | 'unknown' | 'taken-away';
  readonly tenant: Tenant;
  readonly docUid: string;
  readonly failureCode: string | null;
  /** For the operator; not a word of the document's content. */
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
};

/** Somebody else was first: the document was cancelled, or the lease ran out and another worker has it. */
export class TakenAway extends Error {
  override readonly name = 'TakenAway';
}

/** For what must have happened for a transaction to go on. */
export function insist(happened: boolean): void {
  if (!happened) throw new TakenAway();
}

/** A number from 0 to 1. */
export function draw(random: Random): number {
  return (random.bytes(1)[0] ?? 0) / 255;
}
