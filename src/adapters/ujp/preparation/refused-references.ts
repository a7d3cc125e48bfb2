import type { Authority } from '../../../application/ports/authority.ts';
import type { UjpPayload } from '../conversion/payload.ts';

/** The reference of a correction to what it corrects, without which it is none. */
const CORRECTED = 'ST';
/** A reference to a registered document: that it is not found is about this one reference, not about the type. */
const REGISTERED = 'SYS';
const NOT_FOUND = 'E1021';
/** The date of a reference must precede the document's; whether it may be the same is not published. */
const WRONG_DATE = 'E50073';

export const refusedReferences: Authority['refusedReferences'] = ({ text }, errors) => {
  const { header, docReferences } = (JSON.parse(text) as UjpPayload).document;
  const optional = docReferences.filter(({ docTypeRef }) => docTypeRef !== CORRECTED);
  if (optional.length === 0) return null;
  const areAll = (wanted: string) => errors.every(({ code }) => code === wanted);
  const hasSameDay = optional.some(({ docDateRef }) => docDateRef === header.docDate);
  if (areAll(WRONG_DATE) && hasSameDay) return 'same-day';
  const namesRegistered = optional.some(({ docTypeRef }) => docTypeRef === REGISTERED);
  return areAll(NOT_FOUND) && !namesRegistered ? 'all-of-type' : 'all';
};
