import { MOST_FINDINGS } from '../../../domain/messages/detail.ts';
import { message } from '../../../domain/messages/message.ts';
import type { Finding, RefusedDocument } from '../judging/findings.ts';
import { quoted, refuse } from '../judging/findings.ts';
import { parserFindings } from '../judging/parser-findings.ts';
import { documentNamespaces } from '../judging/ubl-names.ts';
import { placeOf, shownName } from './element-place.ts';
import { parseXml } from './libxml2.ts';
import { positionOf } from './text-position.ts';
import type { DocumentSpan } from './xml-survey.ts';
import type { ElementRef, XmlTree } from './xml-tree.ts';

/** Refuses a text with several root elements one after the other, whatever they are called; as malformed if one of the first two is. */
export function refuseSequence(utf8: Buffer, documents: readonly DocumentSpan[]): RefusedDocument {
  const [first, second] = documents;
  if (first === undefined || second === undefined) throw new Error('A sequence has at least two documents');
  const malformed = refuseMalformed(utf8, first) ?? refuseMalformed(utf8, second);
  if (malformed !== null) return malformed;
  const place = { ...positionOf(utf8, second.rootStart), path: null };
  return refuse('ERR-2011', [{ place, said: message('another-document-begins', { name: quoted(second.rootName) }) }]);
}

function refuseMalformed(utf8: Buffer, document: DocumentSpan): RefusedDocument | null {
  const parsed = parseXml(utf8.subarray(document.start, document.end), true);
  if (!('root' in parsed)) return refuse('ERR-2001', findingsIn(utf8, document, parsed));
  parsed[Symbol.dispose]();
  return null;
}

/** Findings with line and column in the whole text. */
function findingsIn(utf8: Buffer, document: DocumentSpan, errors: Parameters<typeof parserFindings>[1]): Finding[] {
  const start = positionOf(utf8, document.start);
  return parserFindings(utf8.subarray(document.start, document.end), errors).map((finding) => ({
    ...finding,
    place: finding.place && {
      ...finding.place,
      line: finding.place.line + start.line - 1,
      column: finding.place.line === 1 ? finding.place.column + start.column - 1 : finding.place.column,
    },
  }));
}

/** Refuses a root that is not a UBL Invoice or CreditNote: as several documents if it contains more than one of them. */
export function refuseOtherRoot(utf8: Buffer, tree: XmlTree): RefusedDocument {
  const wrapped = outermostDocuments(tree);
  if (wrapped.length > 1) {
    const findings = wrapped.map((element, index) => ({
      place: placeOf(utf8, tree, element),
      said: message('wrapped-document', {
        element: shownName(tree, element),
        number: index + 1,
        wrapper: quoted(tree.localName(tree.root)),
      }),
    }));
    return refuse('ERR-2011', findings);
  }
  const namespace = tree.namespace(tree.root);
  const values = {
    name: quoted(tree.localName(tree.root)),
    wrapper: wrapped.length === 1 ? message('wrapper-around-one') : '',
    invoice: `Invoice (${documentNamespaces.Invoice})`,
    creditNote: `CreditNote (${documentNamespaces.CreditNote})`,
  };
  const said =
    namespace === ''
      ? message('root-without-namespace', values)
      : message('root-of-namespace', { ...values, namespace: quoted(namespace) });
  return refuse('ERR-2002', [{ place: placeOf(utf8, tree, tree.root), said }]);
}

/** UBL documents below the root that are not part of another one, at most as many as there are findings. */
function outermostDocuments(tree: XmlTree): ElementRef[] {
  const found: ElementRef[] = [];
  const stack = [tree.elements(tree.root)];
  while (stack.length > 0 && found.length < MOST_FINDINGS) {
    const next = stack.at(-1)?.next();
    if (next === undefined || next.done === true) stack.pop();
    else if (tree.kind(next.value) === null) stack.push(tree.elements(next.value));
    else found.push(next.value);
  }
  return found;
}
