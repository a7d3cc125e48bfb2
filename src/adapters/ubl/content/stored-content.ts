import type { SerialisedContent } from '../../../application/ports/document-reader.ts';
import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import { inEnglish } from '../../../domain/messages/render.ts';
import { serialise } from '../../threads/serialised-content.ts';
import { parseXml } from '../xml/libxml2.ts';
import { decodeXml } from '../xml/xml-encoding.ts';
import { surveyXml } from '../xml/xml-survey.ts';
import { XmlTree } from '../xml/xml-tree.ts';
import { contentByLine, invoiceContent } from './invoice-content.ts';

/** The content of a stored document. It was judged when it was submitted, so one that cannot be read now is damaged. */
export function contentOf(bytes: Uint8Array): InvoiceContent {
  return readStored(bytes, invoiceContent);
}

/** The same, serialised line by line: the lines of a large document are never all values at the same time. */
export function serialisedContentOf(bytes: Uint8Array): SerialisedContent {
  return readStored(bytes, (tree, kind) => serialise(contentByLine(tree, kind)));
}

function readStored<Result>(bytes: Uint8Array, read: (tree: XmlTree, kind: DocumentKind) => Result): Result {
  const utf8 = decodeXml(bytes);
  if (!Buffer.isBuffer(utf8)) throw new Error(`The document cannot be decoded: ${inEnglish(utf8.said)}`);
  const survey = surveyXml(utf8);
  if (survey.doctypeAt !== -1 || survey.exceeded !== null || survey.documents.length > 1) {
    throw new Error('The document is not one that is accepted at submission');
  }
  const parsed = parseXml(utf8, survey.complete);
  if (!('root' in parsed)) throw new Error(`The document is not well-formed: ${parsed[0]?.message ?? 'unknown'}`);
  using document = parsed;
  const tree = new XmlTree(document.root);
  const kind = tree.kind(tree.root);
  if (kind === null) throw new Error('The document is not a UBL Invoice or CreditNote');
  return read(tree, kind);
}
