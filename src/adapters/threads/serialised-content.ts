import type { SerialisedContent } from '../../application/ports/document-reader.ts';
import type { InvoiceContent } from '../../domain/documents/invoice-content.ts';

/** From about a hundred invoice lines on; such content is transferred between threads as bytes instead of being copied. */
const LARGE_LENGTH = 131_072;

export function serialise(content: InvoiceContent): SerialisedContent {
  const text = JSON.stringify(content);
  return text.length < LARGE_LENGTH ? text : new TextEncoder().encode(text);
}

export function deserialise(content: SerialisedContent): InvoiceContent {
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  return JSON.parse(text) as InvoiceContent;
}
