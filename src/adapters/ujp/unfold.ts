import type { FoldedContent } from '../../application/document-reader.ts';
import type { InvoiceContent } from '../../domain/invoice-content.ts';

export function unfold(content: FoldedContent): InvoiceContent {
  return JSON.parse(new TextDecoder().decode(content)) as InvoiceContent;
}
