import type { ConversionWarning } from '../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import type { DocumentType } from './conversion-context.ts';
import { notExpressible, warning } from './conversion-failure.ts';
import { plainNotes } from './directives.ts';
import { addressLine } from './parties/address.ts';
import type { UjpHeader } from './payload.ts';

/** The longest number seen at the authority. Its limit is not published, so longer ones are refused. */
const MAX_NUMBER_LENGTH = 20;

export type HeaderNeeds = {
  readonly docId: string;
  readonly docDate: string;
  readonly storno: 0 | 2;
  readonly type: DocumentType;
};

/** The day on which codes must be in force and before which references must be dated. */
export function documentDate({ issueDate, path }: InvoiceContent): string {
  return issueDate ?? notExpressible('The date of the document is missing', `${path}/cbc:IssueDate`);
}

export function header(content: InvoiceContent, needs: HeaderNeeds, warnings: ConversionWarning[]): UjpHeader {
  const { docDate, storno, type } = needs;
  return {
    docStorno: storno,
    docType: type.code,
    docTypeName: type.name,
    docDate,
    docTurnoverDate: turnoverDate(content, docDate),
    docNumber: documentNumber(content),
    docId: needs.docId,
    docDeliveryDate: deliveryDate(content, docDate, warnings),
    docDelivery: deliveryText(content),
    docPeriodStartDate: content.period?.start ?? null,
    docPeriodEndDate: content.period?.end ?? null,
    docNotes: plainNotes(content).join('\n') || null,
    docHeader: null,
    docFooter: null,
    docIndicator: null,
  };
}

function documentNumber({ number, path }: InvoiceContent): string {
  if (number === null) notExpressible('The number of the document is missing', `${path}/cbc:ID`);
  const { length } = [...number];
  if (length > MAX_NUMBER_LENGTH) {
    const sentence = `The number of the document has ${length} characters; the authority allows ${MAX_NUMBER_LENGTH}`;
    notExpressible(sentence, `${path}/cbc:ID`);
  }
  return number;
}

/** The date of the supply, which must not be after the date of the document (E50072). */
function turnoverDate({ path, taxPointDate, delivery }: InvoiceContent, docDate: string): string {
  const date = taxPointDate ?? delivery?.actualDate ?? docDate;
  if (date <= docDate) return date;
  const elementPath = taxPointDate === null ? `${delivery?.path}/cbc:ActualDeliveryDate` : `${path}/cbc:TaxPointDate`;
  return notExpressible(`The supply is dated ${date}, after the document's date ${docDate}`, elementPath);
}

function deliveryDate({ delivery }: InvoiceContent, docDate: string, warnings: ConversionWarning[]): string | null {
  const date = delivery?.actualDate ?? null;
  if (date === null || date <= docDate) return date;
  const elementPath = `${delivery?.path}/cbc:ActualDeliveryDate`;
  warnings.push(
    warning(
      'DELIVERY-DATE-LEFT-OUT',
      `The delivery on ${date} is after the document's date and was left out`,
      elementPath,
    ),
  );
  return null;
}

function deliveryText({ delivery, deliveryTerms }: InvoiceContent): string | null {
  const address = delivery === null || delivery.address === null ? null : addressLine(delivery.address);
  return [delivery?.locationName ?? null, address].filter((part) => part !== null).join(', ') || deliveryTerms;
}
