import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { OutboundDocument, StatusChange } from '../../domain/documents/outbound-document.ts';
import { signedText } from '../../domain/documents/signed-text.ts';
import { StoredDamage } from '../errors/damage.ts';
import { documentNotFound } from '../errors/document-not-found.ts';
import type { RecordedAttempt, StoredPayload } from '../ports/storage/delivery-store.ts';
import type { StrayRegistration } from '../ports/storage/outbound/stray-registration-store.ts';
import type { OutboundVoid } from '../ports/storage/outbound/void-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { belongsToDocument } from './own-registration.ts';

export type OutboundDetails = {
  readonly tenant: Edb;
  readonly document: OutboundDocument;
  readonly history: readonly StatusChange[];
  /** The attempts of its void among them. */
  readonly attempts: readonly RecordedAttempt[];
  readonly void: OutboundVoid | null;
  /** Registrations at the authority that are neither the document's nor its void's. */
  readonly strayRegistrations: readonly StrayRegistration[];
  /**
   * What was sent to the authority, as it was signed; null when nothing was, and once the container is there, which holds it.
   * It is never served to clients: theirs is what the authority returned.
   */
  readonly sent: string | null;
  /** What was sent is stored, but does not match its checksum any more. */
  readonly isSentDamaged: boolean;
  /** When the next step of the delivery is due; null when none is left. */
  readonly dueAt: number | null;
};

export type InspectOutbound = (tenant: Edb, docUid: DocUid) => Promise<OutboundDetails>;

/** Everything that is stored about a document, for the operator. */
export function inspectOutbound({ storage }: { readonly storage: Storage }): InspectOutbound {
  return async (tenant, docUid) => {
    const document = await storage.outbound.find(tenant, docUid);
    if (document === null) throw documentNotFound();
    const payload = await storage.deliveries.payload(tenant, docUid).catch(damageAsValue);
    const ownVoid = await storage.voids.find(tenant, docUid);
    const strays = await storage.strayRegistrations.list(tenant, docUid);
    return {
      tenant,
      document,
      history: await storage.outbound.history(tenant, docUid),
      attempts: await storage.deliveries.attempts(tenant, docUid),
      void: ownVoid,
      strayRegistrations: strays.filter((stray) => !belongsToDocument(stray, document, ownVoid)),
      sent: payload instanceof StoredDamage ? null : sentText(payload),
      isSentDamaged: payload instanceof StoredDamage,
      dueAt: await storage.deliveries.dueAt(tenant, docUid),
    };
  };
}

/** The operator must be able to look at a document that is damaged. */
function damageAsValue(error: unknown): StoredDamage {
  if (error instanceof StoredDamage) return error;
  throw error;
}

function sentText(payload: StoredPayload | null): string | null {
  if (payload === null || payload.requestTimestamp === null) return null;
  return signedText(payload.text, payload.requestTimestamp);
}
