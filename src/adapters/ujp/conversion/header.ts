import type { ConversionWarning } from '../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent, Period } from '../../../domain/documents/invoice-content.ts';
import { message } from '../../../domain/messages/message.ts';
import type { DocumentType } from './conversion-context.ts';
import { notExpressible, warning } from './conversion-failure.ts';
import { plainNotes } from './directives.ts';
import type { FailureCollector } from './failure-collector.ts';
import { addressLine } from './parties/address.ts';
import type { UjpHeader } from './payload.ts';
import { CHOSEN_LENGTH, lengthOf, shortenedIfAny } from './text-limits.ts';

export type HeaderNeeds = {
  readonly docId: string;
  readonly docDate: string;
  readonly storno: 0 | 2;
  readonly type: DocumentType;
};

/** The day on which codes must be in force and before which references must be dated. */
export function documentDate({ issueDate, path }: InvoiceContent): string {
  return issueDate ?? notExpressible(message('date-missing'), `${path}/cbc:IssueDate`);
}

export function header(
  content: InvoiceContent,
  needs: HeaderNeeds,
  warnings: ConversionWarning[],
  { attempt }: FailureCollector,
): UjpHeader {
  const { docDate, storno, type } = needs;
  const period = statedPeriod(content, warnings);
  const notes = { what: message('text-notes'), path: `${content.path}/cbc:Note` };
  return {
    docStorno: storno,
    docType: type.code,
    docTypeName: type.name,
    docDate,
    docTurnoverDate: attempt(() => turnoverDate(content, docDate)) ?? docDate,
    docNumber: attempt(() => documentNumber(content)) ?? '',
    docId: needs.docId,
    docDeliveryDate: deliveryDate(content, docDate, warnings),
    docDelivery: deliveryText(content, warnings),
    docPeriodStartDate: period?.start ?? null,
    docPeriodEndDate: period?.end ?? null,
    docNotes: shortenedIfAny(plainNotes(content).join('\n') || null, CHOSEN_LENGTH.notes, notes, warnings),
    docHeader: null,
    docFooter: null,
    docIndicator: null,
  };
}

function documentNumber({ number, path }: InvoiceContent): string {
  if (number === null) notExpressible(message('number-missing'), `${path}/cbc:ID`);
  const maxLength = CHOSEN_LENGTH.documentNumber;
  if (lengthOf(number) > maxLength) {
    const values = { length: lengthOf(number), limit: maxLength };
    notExpressible(message('number-too-long', values), `${path}/cbc:ID`);
  }
  return number;
}

function statedPeriod({ period }: InvoiceContent, warnings: ConversionWarning[]): Period | null {
  if (period === null || period.start === null || period.end === null || period.start <= period.end) return period;
  const { start, end } = period;
  warnings.push(warning('PERIOD-LEFT-OUT', message('period-left-out', { start, end }), period.path));
  return null;
}

/** The date of the supply, which must not be after the date of the document (E50072). */
function turnoverDate({ path, taxPointDate, delivery }: InvoiceContent, docDate: string): string {
  const date = taxPointDate ?? delivery?.actualDate ?? docDate;
  if (date <= docDate) return date;
  const dates = { date, documentDate: docDate };
  if (taxPointDate !== null) return notExpressible(message('supply-after-document', dates), `${path}/cbc:TaxPointDate`);
  // Not the document's date instead: the supply may belong to another VAT period, which only the author knows.
  const undated = message('delivery-after-document', { ...dates, element: 'cbc:TaxPointDate' });
  return notExpressible(undated, `${delivery?.path}/cbc:ActualDeliveryDate`);
}

function deliveryDate({ delivery }: InvoiceContent, docDate: string, warnings: ConversionWarning[]): string | null {
  const date = delivery?.actualDate ?? null;
  if (date === null || date <= docDate) return date;
  const elementPath = `${delivery?.path}/cbc:ActualDeliveryDate`;
  const leftOut = message('delivery-date-left-out', { date, documentDate: docDate });
  warnings.push(warning('DELIVERY-DATE-LEFT-OUT', leftOut, elementPath));
  return null;
}

function deliveryText({ delivery, deliveryTerms, path }: InvoiceContent, warnings: ConversionWarning[]): string | null {
  const address = delivery === null || delivery.address === null ? null : addressLine(delivery.address);
  const location = [delivery?.locationName ?? null, address].filter((part) => part !== null).join(', ') || null;
  if (location !== null && deliveryTerms !== null) {
    const leftOut = message('delivery-terms-left-out');
    warnings.push(warning('DELIVERY-TERMS-LEFT-OUT', leftOut, `${path}/cac:DeliveryTerms`));
  }
  const place = { what: message('text-delivery'), path: delivery?.path ?? `${path}/cac:DeliveryTerms` };
  return shortenedIfAny(location ?? deliveryTerms, CHOSEN_LENGTH.text, place, warnings);
}
