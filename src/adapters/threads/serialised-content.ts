import type { SerialisedContent } from '../../application/ports/document-reader.ts';
import type { InvoiceContent } from '../../domain/documents/invoice-content.ts';

/**
 * From about 75 invoice lines of the usual 850 characters on; such content is transferred between threads as bytes instead of being
 * copied, and is converted on a thread. Every entry, of whatever kind, takes some hundred characters, so this bounds their number
 * as well: the thread that answers requests converts for a few milliseconds at most.
 */
const LARGE_LENGTH = 65_536;

export function serialise(content: InvoiceContent): SerialisedContent {
  const text = JSON.stringify(content);
  return text.length < LARGE_LENGTH ? text : new TextEncoder().encode(text);
}

export function deserialise(content: SerialisedContent): InvoiceContent {
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  return JSON.parse(text) as InvoiceContent;
}
