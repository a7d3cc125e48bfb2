import type { FoldedContent } from '../../application/document-reader.ts';
import type { InvoiceContent } from '../../domain/invoice-content.ts';

/** As much as a document of a hundred lines says. */
const LARGE_LENGTH = 131_072;

export function fold(content: InvoiceContent): FoldedContent {
  const text = JSON.stringify(content);
  return text.length < LARGE_LENGTH ? text : new TextEncoder().encode(text);
}

export function unfold(content: FoldedContent): InvoiceContent {
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  return JSON.parse(text) as InvoiceContent;
}
