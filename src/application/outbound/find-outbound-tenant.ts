import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { message } from '../../domain/messages/message.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { Storage } from '../ports/storage/storage.ts';

export type FindOutboundTenant = (docUid: DocUid) => Promise<Edb>;

/** The tenant that a document belongs to. Only for the operator: a client's tenant follows from its key. */
export function findOutboundTenant({ storage }: { readonly storage: Storage }): FindOutboundTenant {
  return async (docUid) => {
    const tenants = await storage.tenants.list();
    for (const { edb } of tenants) if ((await storage.outbound.find(edb, docUid)) !== null) return edb;
    throw noSuchOutbound(docUid);
  };
}

/** The same for an unknown identifier and for a text that is none. */
export function noSuchOutbound(text: string): OperatorError {
  return new OperatorError('not-found', message('no-outbound-document', { document: text }));
}
