import type { DocumentView } from '../../../domain/views/document-view.ts';
import { viewOfContent } from '../../../domain/views/view-of-content.ts';
import { viewOfPayload } from '../../../domain/views/view-of-payload.ts';
import { readRecognised } from '../judging/judge-document.ts';
import { ContentElement } from './content-of-element.ts';
import { invoiceContent } from './invoice-content.ts';

/** What is shown of a stored file: a UBL document or one in the authority's JSON form; null for any other, which has nothing to show. */
export function viewOfBytes(bytes: Uint8Array): DocumentView | null {
  const payload = parsedJson(bytes);
  if (payload !== undefined) return viewOfPayload(payload);
  return readRecognised(bytes, (tree, kind) => {
    const means = new ContentElement(tree, tree.root, `/${kind}`, []).children('cac:PaymentMeans');
    const accounts = means.map((one) => one.text('cac:PayeeFinancialAccount', 'cbc:ID'));
    return viewOfContent(invoiceContent(tree, kind), accounts);
  });
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const OPENING_BRACE = 0x7b;

/** Undefined where it is no JSON object. */
function parsedJson(bytes: Uint8Array): unknown {
  if (!beginsAsObject(bytes)) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Whatever it is, there is nothing in it to be shown.
    return undefined;
  }
}

function beginsAsObject(bytes: Uint8Array): boolean {
  let at = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0;
  while (BLANKS.has(bytes[at])) at += 1;
  return bytes[at] === OPENING_BRACE;
}
