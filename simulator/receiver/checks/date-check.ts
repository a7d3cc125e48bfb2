import type { Finding } from '../../authority-error.ts';
import type { InvoiceDocument } from './document-schema.ts';

/** Delivery, turnover and referenced documents must not be dated after the document. */
export function checkDates({ header, docReferences }: InvoiceDocument): readonly Finding[] {
  const { docDate, docDeliveryDate, docTurnoverDate } = header;
  const dates = [
    ['E50071', 'document.header.docDeliveryDate', docDeliveryDate],
    ['E50072', 'document.header.docTurnoverDate', docTurnoverDate],
    ...(docReferences ?? []).map(
      ({ docDateRef }, index) => ['E50073', `document.docReferences[${index}].docDateRef`, docDateRef] as const,
    ),
  ] as const;
  return dates.flatMap(([code, parameter, date]) => {
    if (!date || date <= docDate) return [];
    return [{ code, message: `${parameter} ${date} is after docDate ${docDate}`, parameter }];
  });
}
