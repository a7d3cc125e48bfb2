import type { ElementNumber, ReadableTree } from '../xml/readable-tree.ts';

const PATH = ['cac:AdditionalDocumentReference', 'cac:Attachment', 'cbc:EmbeddedDocumentBinaryObject'];
const PDF_TYPE = /^application\/pdf\s*(?:;|$)/iu;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/u;

/** PDF readers accept the header anywhere in the first 1024 bytes. */
const PDF_HEADER = '%PDF-';
const PDF_HEADER_WITHIN_BYTES = 1024;

/** The first attachment declared as PDF that has a PDF header. Others are skipped: a broken file must not be served as PDF. */
export function embeddedPdf(tree: ReadableTree): Uint8Array<ArrayBuffer> | null {
  let attachments: readonly ElementNumber[] = [tree.root];
  for (const name of PATH) attachments = attachments.flatMap((element) => tree.childrenNamed(element, name));
  for (const attachment of attachments) {
    if (!PDF_TYPE.test(tree.attribute(attachment, 'mimeCode')?.trim() ?? '')) continue;
    const file = decodeBase64(tree.text(attachment));
    if (file !== null && hasPdfHeader(file)) return file;
  }
  return null;
}

/** Decodes into a buffer outside Node's buffer pool, so that it can be transferred to another thread. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const digits = text.replace(/[\t\n\r ]+/gu, '');
  if (digits.length % 4 !== 0 || !BASE64.test(digits)) return null;
  const padding = digits.endsWith('==') ? 2 : digits.endsWith('=') ? 1 : 0;
  const file = Buffer.allocUnsafeSlow((digits.length / 4) * 3 - padding);
  file.write(digits, 'base64');
  return file;
}

function hasPdfHeader(file: Uint8Array): boolean {
  return Buffer.from(file.subarray(0, PDF_HEADER_WITHIN_BYTES)).includes(PDF_HEADER);
}
