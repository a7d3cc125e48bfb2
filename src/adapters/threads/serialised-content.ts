import type { DocumentContent, SerialisedContent } from '../../application/ports/document-reader.ts';
import type { InvoiceContent, InvoiceLine } from '../../domain/documents/invoice-content.ts';

/**
 * From about 75 invoice lines of the usual 850 characters on; such content is transferred between threads as bytes instead of being
 * copied, and is converted on a thread. Every entry, of whatever kind, takes some hundred characters, so this bounds their number
 * as well, as the size of a document does that was read on the caller's thread: that one converts for a few milliseconds at most.
 */
const LARGE_LENGTH = 65_536;

/** A content whose lines may be read while they are serialised: of ten MiB they would take a hundred as values. */
export type ContentByLine = Omit<InvoiceContent, 'lines'> & { readonly lines: Iterable<InvoiceLine> };

export function serialise({ lines, ...others }: ContentByLine): SerialisedContent {
  const pieces: Uint8Array[] = [];
  let text = '{"lines":[';
  let separator = '';
  for (const line of lines) {
    text += `${separator}${JSON.stringify(line)}`;
    separator = ',';
    if (text.length < LARGE_LENGTH) continue;
    pieces.push(new TextEncoder().encode(text));
    text = '';
  }
  // Last: what of the lines could not be read is among it.
  text += `],${JSON.stringify(others).slice(1)}`;
  if (pieces.length === 0 && text.length < LARGE_LENGTH) return text;
  return joined([...pieces, new TextEncoder().encode(text)]);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

export function deserialise(content: SerialisedContent): InvoiceContent {
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  return JSON.parse(text) as InvoiceContent;
}

/** The content, however it was given. */
export function contentGiven(content: DocumentContent): InvoiceContent {
  return typeof content === 'string' || content instanceof Uint8Array ? deserialise(content) : content;
}
