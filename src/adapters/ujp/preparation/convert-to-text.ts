import type { Preparation } from '../../../application/ports/authority.ts';
import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import type { ConversionContext } from '../conversion/conversion-context.ts';
import { convert } from '../conversion/convert.ts';
import { plainJson } from './plain-json.ts';

/** Converts a document into the text that will be signed. */
export function convertToText(content: InvoiceContent, context: ConversionContext): Preparation {
  const conversion = convert(content, context);
  if (conversion.outcome === 'failed') return conversion;
  const { docTypeCode, payload, warnings } = conversion;
  const { docNumber, docDate } = payload.document.header;
  const document = { docTypeCode, docNumber, docDate, docId: context.docId, text: plainJson(payload) };
  return { outcome: 'prepared', document, warnings };
}
