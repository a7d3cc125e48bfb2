import { type DocUid, isDocUid } from '../domain/doc-uid.ts';
import type { Edb } from '../domain/edb.ts';
import { OperatorError } from './operator-error.ts';
import type { Storage } from './ports.ts';

export type FindOutboundOwner = (docUid: DocUid) => Promise<Edb>;

/** The tenant a document belongs to. For the operator alone: everybody else comes with a tenant. */
export function findOutboundOwner({ storage }: { readonly storage: Storage }): FindOutboundOwner {
  return async (docUid) => {
    const tenants = isDocUid(docUid) ? await storage.tenants.list() : [];
    for (const { edb } of tenants) if ((await storage.outbound.find(edb, docUid)) !== null) return edb;
    throw new OperatorError('not-found', `There is no outbound document ${docUid}.`);
  };
}
