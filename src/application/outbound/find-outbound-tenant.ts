import type { Edb } from '../../domain/accounts/edb.ts';
import { type DocUid, isDocUid } from '../../domain/documents/doc-uid.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { Storage } from '../ports/storage/storage.ts';

export type FindOutboundOwner = (docUid: DocUid) => Promise<Edb>;

/** The tenant a document belongs to. For the operator alone: everybody else comes with a tenant. */
export function findOutboundOwner({ storage }: { readonly storage: Storage }): FindOutboundOwner {
  return async (docUid) => {
    const tenants = isDocUid(docUid) ? await storage.tenants.list() : [];
    for (const { edb } of tenants) if ((await storage.outbound.find(edb, docUid)) !== null) return edb;
    throw new OperatorError('not-found', `There is no outbound document ${docUid}.`);
  };
}
