import type { XmlTree } from '../xml/xml-tree.ts';

const PATH = ['cac:AdditionalDocumentReference', 'cac:Attachment', 'cbc:EmbeddedDocumentBinaryObject'];
const PDF_TYPE = /^application\/pdf\s*(?:;|$)/iu;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/u;

/** Readers of PDF look for its mark this far into a file. */
const PDF_MARK = '%PDF-';
const PDF_MARK_WITHIN = 1024;

/** The first attachment that says it is a PDF and is one. Others are skipped: a broken one is not served as PDF. */
export function embeddedPdf(tree: XmlTree): Uint8Array<ArrayBuffer> | null {
  let attachments = [tree.root];
  for (const name of PATH) attachments = attachments.flatMap((element) => tree.childrenNamed(element, name));
  for (const attachment of attachments) {
    if (!PDF_TYPE.test(tree.attribute(attachment, 'mimeCode')?.trim() ?? '')) continue;
    const file = decodeBase64(tree.text(attachment));
    if (file !== null && startsAsPdf(file)) return file;
  }
  return null;
}

/** Decodes into memory of its own, which can be handed to another thread. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const digits = text.replace(/[\t\n\r ]+/gu, '');
  if (digits.length % 4 !== 0 || !BASE64.test(digits)) return null;
  const padding = digits.endsWith('==') ? 2 : digits.endsWith('=') ? 1 : 0;
  const file = Buffer.allocUnsafeSlow((digits.length / 4) * 3 - padding);
  file.write(digits, 'base64');
  return file;
}

function startsAsPdf(file: Uint8Array): boolean {
  return Buffer.from(file.subarray(0, PDF_MARK_WITHIN)).includes(PDF_MARK);
}
