import type { AuthorityRegister } from '../../../../application/ports/recovery/authority-register.ts';
import { authorityDate } from '../../answers/authority-date.ts';
import type { AuthorityCaller } from '../../gateway/authority-caller.ts';
import type { InstallationUrls } from '../../gateway/authority-urls.ts';
import { documentId } from '../../preparation/document-id.ts';
import { registrationOf } from '../find-registered.ts';
import { registeredWithin } from '../registered-documents.ts';
import { registeredContent, shownNumber } from '../registered-payloads.ts';

type Needs = { readonly caller: AuthorityCaller; readonly urls: InstallationUrls };

/** `docStorno` of a void. */
const VOID = 1;

/** What the authority has registered for a tenant, to be compared with what is known here. */
export function registrations({ caller, urls }: Needs): AuthorityRegister {
  return {
    async registeredBetween(tenant, from, to) {
      const found = await registeredWithin(caller, tenant, from, to);
      return found.map((one) => ({
        registration: registrationOf(one, urls, tenant),
        docNumber: one.docNumber ?? '',
        docDate: one.docDate ?? '',
      }));
    },
    async registeredMarks(tenant, { registration, docNumber, docDate }) {
      const { euid } = registration;
      const known = { euid, docNumber: docNumber || null, docDate: docDate || null };
      const { header, docId, isSentForAnother } = await registeredContent(caller, tenant, known);
      return {
        docId,
        docTypeCode: String(header['docType'] ?? '').trim(),
        // What was signed is what is on record here, and would be sent again.
        docNumber: shownNumber(header) ?? docNumber,
        docDate: docDate || (authorityDate(header['docDate']) ?? ''),
        isVoid: Number(header['docStorno']) === VOID,
        isSentForAnother,
      };
    },
    docIdOf: documentId,
  };
}
