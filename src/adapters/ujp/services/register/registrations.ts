import type { AuthorityRegister } from '../../../../application/ports/recovery/authority-register.ts';
import { authorityDate } from '../../answers/authority-date.ts';
import { isJsonObject } from '../../answers/json-object.ts';
import { unreadableMember } from '../../answers/list-member.ts';
import type { AuthorityCaller } from '../../gateway/authority-caller.ts';
import { documentsService } from '../../gateway/authority-service.ts';
import type { InstallationUrls } from '../../gateway/authority-urls.ts';
import { documentId } from '../../preparation/document-id.ts';
import { registrationOf } from '../find-registered.ts';
import { registeredWithin } from '../registered-documents.ts';
import { documentIn, registeredPayload } from '../registered-payloads.ts';

type Needs = { readonly caller: AuthorityCaller; readonly urls: InstallationUrls };

const PAYLOAD = documentsService('sales-invoice/payload', true);
/** `docStorno` of a void. */
const VOID = 1;

/** What the authority has registered for a tenant, to be compared with what is known here. */
export function registrations({ caller, urls }: Needs): AuthorityRegister {
  return {
    async registeredBetween(tenant, from, to) {
      const found = await registeredWithin(caller, tenant, from, to);
      return found.map((one) => ({
        registration: registrationOf(one, urls, tenant),
        docNumber: String(one.row['docNumber'] ?? ''),
        docDate: authorityDate(one.row['docDate']) ?? '',
      }));
    },
    async registeredMarks(tenant, euid) {
      const document = documentIn(await registeredPayload(caller, tenant, euid));
      const header = isJsonObject(document) ? document['header'] : null;
      if (!isJsonObject(header) || typeof header['docId'] !== 'string') throw unreadableMember('payload', PAYLOAD);
      const docTypeCode = String(header['docType'] ?? '');
      return { docId: header['docId'], docTypeCode, isVoid: Number(header['docStorno']) === VOID };
    },
    docIdOf: documentId,
  };
}
