import type { Authority } from '../../../application/ports/authority.ts';
import type { Converter } from './converter.ts';
import { documentId } from './document-id.ts';
import type { LookUpContext } from './look-up-context.ts';

type Needs = { readonly converter: Pick<Converter, 'open'>; readonly lookUpContext: LookUpContext };

/** Converts documents into the authority's form, with the companies, rates and code lists looked up there. */
export function prepareDocument({ converter, lookUpContext }: Needs): Authority['prepare'] {
  return async (tenant, docUid, content, findEarlier, references) => {
    const document = await converter.open(tenant.edb, content);
    const docId = documentId(tenant.edb, docUid);
    const context = await lookUpContext(tenant, docId, document.needed, findEarlier);
    const { leftOut, refusedOn } = references;
    return document.convert({ ...context, leftOutReferences: leftOut, refusesReferences: refusedOn });
  };
}
