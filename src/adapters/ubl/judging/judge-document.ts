import type { XsdValidator } from 'libxml2-wasm';
import type { DocumentKind, InvoiceFacts } from '../../../domain/documents/invoice-facts.ts';
import { type ParsedXml, parseXml } from '../xml/libxml2.ts';
import { refuseOtherFormats } from '../xml/not-xml.ts';
import { refuseOtherRoot, refuseSequence } from '../xml/several-documents.ts';
import { positionOf } from '../xml/text-position.ts';
import { decodeXml } from '../xml/xml-encoding.ts';
import { surveyXml, type XmlSurvey } from '../xml/xml-survey.ts';
import { XmlTree } from '../xml/xml-tree.ts';
import { checkContent } from './content-checks.ts';
import { documentFacts } from './document-facts.ts';
import { embeddedPdf } from './embedded-pdf.ts';
import type { Finding, RefusedDocument } from './findings.ts';
import { refuse } from './findings.ts';
import { parserFindings } from './parser-findings.ts';
import { schemaFindings } from './schema-findings.ts';

export type Schemas = Readonly<Record<DocumentKind, XsdValidator>>;

export type Judgement =
  | RefusedDocument
  | {
      readonly outcome: 'document';
      readonly facts: InvoiceFacts;
      readonly pdf: Uint8Array<ArrayBuffer> | null;
    };

type OpenedXml = { readonly utf8: Buffer; readonly survey: XmlSurvey; readonly document: ParsedXml };

/** Judges a submission in the documented order of checks; the first check that fails is reported. */
export function judgeDocument(bytes: Uint8Array, schemas: Schemas): Judgement {
  const opened = openXml(bytes);
  if ('outcome' in opened) return opened;
  const { utf8, survey } = opened;
  using document = opened.document;
  const tree = new XmlTree(document.root);
  const kind = tree.kind(tree.root);
  if (kind === null) return refuseOtherRoot(utf8, tree);
  const facts = documentFacts(tree, kind);
  const refused = checkContent({ utf8, tree, survey }, facts);
  if (refused !== null) return refused;
  const errors = document.validate(schemas[kind]);
  if (errors.length > 0) return refuse('ERR-2002', schemaFindings(utf8, tree, errors));
  return { outcome: 'document', facts, pdf: embeddedPdf(tree) };
}

/** The facts of a well-formed UBL Invoice or CreditNote, even an incomplete one; null for anything else. */
export function recogniseDocument(bytes: Uint8Array): InvoiceFacts | null {
  const opened = openXml(bytes);
  if ('outcome' in opened) return null;
  using document = opened.document;
  const tree = new XmlTree(document.root);
  const kind = tree.kind(tree.root);
  return kind === null ? null : documentFacts(tree, kind);
}

/** Parses one well-formed XML document, or refuses it. */
function openXml(bytes: Uint8Array): OpenedXml | RefusedDocument {
  const otherFormat = refuseOtherFormats(bytes);
  if (otherFormat !== null) return otherFormat;
  const utf8 = decodeXml(bytes);
  if (!Buffer.isBuffer(utf8)) return refuse('ERR-2001', [utf8]);
  const survey = surveyXml(utf8);
  const unsafe = unsafeMarkup(utf8, survey);
  if (unsafe !== null) return refuse('ERR-2001', [unsafe]);
  if (survey.complete && survey.documents.length > 1) return refuseSequence(utf8, survey.documents);
  return parse(utf8, survey);
}

/** Markup that the parser must not be given: a DOCTYPE, or more than the limits allow. */
function unsafeMarkup(utf8: Buffer, { doctypeAt, exceeded }: XmlSurvey): Finding | null {
  if (doctypeAt !== -1) {
    const text = 'There is a DOCTYPE declaration; expected none, as documents with a DOCTYPE are not accepted.';
    return { place: { ...positionOf(utf8, doctypeAt), path: null }, text };
  }
  if (exceeded === null) return null;
  const place = { ...positionOf(utf8, exceeded.at), path: null };
  return { place, text: `There are ${exceeded.what}; no invoice needs that many.` };
}

function parse(utf8: Buffer, survey: XmlSurvey): OpenedXml | RefusedDocument {
  const document = parseXml(utf8, survey.complete);
  if (!('root' in document)) return refuse('ERR-2001', parserFindings(utf8, document));
  const text = unsupportedMarkup(document, survey);
  if (text === null) return { utf8, survey, document };
  document[Symbol.dispose]();
  return refuse('ERR-2001', [{ place: { line: 1, column: 1, path: null }, text }]);
}

function unsupportedMarkup(document: ParsedXml, survey: XmlSurvey): string | null {
  if (document.version !== '1.0') return 'The XML declaration names another version than 1.0; expected XML 1.0.';
  // The survey finds every DOCTYPE and follows every text that the parser accepts. Should the two ever disagree, the document is
  // refused, because the survey has not checked all of it.
  if (document.hasDoctype || !survey.complete) return 'The structure of the document could not be followed.';
  return null;
}
