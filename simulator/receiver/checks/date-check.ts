import type { Finding } from '../../authority-error.ts';
import type { Rules } from '../../unpublished-rules.ts';
import { REPLACED_REFERENCE } from '../replaced-document.ts';
import type { InvoiceDocument } from './document-schema.ts';

/**
 * The authority's published reference: delivery and turnover must not be later than the document (§3.3; equal dates were accepted
 * live), and referenced documents must precede it (§3.4). A void repeats the date of the document it refers to (§3.10), so there
 * the dates may be equal.
 */
export function checkDates(
  { header, docReferences }: InvoiceDocument,
  { sameDayReferences }: Rules,
): readonly Finding[] {
  const { docDate, docDeliveryDate, docTurnoverDate } = header;
  const dates = [
    ['E50071', 'document.header.docDeliveryDate', docDeliveryDate, true],
    ['E50072', 'document.header.docTurnoverDate', docTurnoverDate, true],
    ...(docReferences ?? []).map(({ docDateRef, docTypeRef }, index) => {
      const parameter = `document.docReferences[${index}].docDateRef`;
      const mayBeEqual = docTypeRef === REPLACED_REFERENCE || sameDayReferences === 'accepted';
      return ['E50073', parameter, docDateRef, mayBeEqual] as const;
    }),
  ] as const;
  return dates.flatMap(([code, parameter, date, mayBeEqual]) => {
    if (!date || date < docDate || (mayBeEqual && date === docDate)) return [];
    return [{ code, message: `${parameter} ${date} is not before docDate ${docDate}`, parameter }];
  });
}
