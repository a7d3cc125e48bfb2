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

const OPENING_BRACE = '{';
const START_BYTES = 64;

/** Undefined where it is no JSON object. */
function parsedJson(bytes: Uint8Array): unknown {
  const start = new TextDecoder().decode(bytes.subarray(0, START_BYTES)).trimStart();
  if (!start.startsWith(OPENING_BRACE)) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Whatever it is, there is nothing in it to be shown.
    return undefined;
  }
}
