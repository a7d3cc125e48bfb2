import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { Caller } from '../accounts/caller.ts';
import { documentNotFound } from '../errors/document-not-found.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock };

export type Acknowledgement = { readonly docUid: DocUid; readonly ackedAt: number };

export type AcknowledgeInbound = (caller: Caller, docUid: DocUid) => Promise<Acknowledgement>;

/** Records that the client has taken the document over. A repeated call returns the time of the first, unchanged. */
export function acknowledgeInbound({ storage, clock }: Needs): AcknowledgeInbound {
  return async (caller, docUid) => {
    const tenant = caller.tenant.edb;
    const { ackedAt, isFirst } = await storage.transaction(async (tx) => {
      const isFirst = await tx.inbound.acknowledge(tenant, docUid, clock.now());
      const ackedAt = (await tx.inbound.find(tenant, docUid))?.ackedAt ?? null;
      if (ackedAt === null) throw documentNotFound();
      if (isFirst) await tx.audit.append([caller.call.auditEntry({ httpStatus: 200, docUid })]);
      return { ackedAt, isFirst };
    });
    if (isFirst) caller.call.markAudited();
    return { docUid, ackedAt };
  };
}
