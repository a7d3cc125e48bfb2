import type { XsdValidator } from 'libxml2-wasm';
import type { DocumentKind, InvoiceFacts } from '../../../domain/documents/invoice-facts.ts';
import { MOST_FINDINGS } from '../../../domain/messages/detail.ts';
import { type Message, message } from '../../../domain/messages/message.ts';
import { type ParsedXml, parseXml } from '../xml/libxml2.ts';
import { refuseOtherFormats } from '../xml/not-xml.ts';
import { refuseOtherRoot, refuseSequence } from '../xml/several-documents.ts';
import { positionOf } from '../xml/text-position.ts';
import { decodeXml, misdeclaredUtf8 } from '../xml/xml-encoding.ts';
import { surveyXml, type XmlSurvey } from '../xml/xml-survey.ts';
import { XmlTree } from '../xml/xml-tree.ts';
import { contentRefusals } from './content-checks.ts';
import { documentFacts } from './document-facts.ts';
import { embeddedPdf } from './embedded-pdf.ts';
import type { Finding, RefusedDocument } from './findings.ts';
import { refuse } from './findings.ts';
import { mostPlaces } from './lines-of-paths.ts';
import { parserFindings } from './parser-findings.ts';
import { schemaFindings } from './schema-findings.ts';

/** As many errors are kept for each finding: several of them may be about one element. */
const ERRORS_OF_AN_ELEMENT = 4;

export type Schemas = Readonly<Record<DocumentKind, XsdValidator>>;

export type Judgement =
  | RefusedDocument
  | {
      readonly outcome: 'document';
      readonly facts: InvoiceFacts;
      readonly pdf: Uint8Array<ArrayBuffer> | null;
    };

/** All that is wrong with a document, in the order of the checks; the facts where it is a UBL Invoice or CreditNote. */
export type Inspection = { readonly refusals: readonly RefusedDocument[]; readonly facts: InvoiceFacts | null };

type OpenedXml = { readonly utf8: Buffer; readonly survey: XmlSurvey; readonly document: ParsedXml };
type Subject = OpenedXml & { readonly tree: XmlTree; readonly kind: DocumentKind; readonly facts: InvoiceFacts };

/** Judges a submission in the documented order of checks; the first check that fails is reported. */
export function judgeDocument(bytes: Uint8Array, schemas: Schemas): Judgement {
  const opened = openSubmission(bytes);
  if ('outcome' in opened) return opened;
  using document = opened.document;
  const subject = subjectOf({ ...opened, document });
  if ('outcome' in subject) return subject;
  const [refusal] = refusalsOf(subject, schemas);
  if (refusal !== undefined) return refusal;
  return { outcome: 'document', facts: subject.facts, pdf: embeddedPdf(subject.tree) };
}

/** Judges a document by the same checks and goes on after one that fails. */
export function inspectDocument(bytes: Uint8Array, schemas: Schemas): Inspection {
  const opened = openSubmission(bytes);
  if ('outcome' in opened) return { refusals: [opened], facts: null };
  using document = opened.document;
  const subject = subjectOf({ ...opened, document });
  if ('outcome' in subject) return { refusals: [subject], facts: null };
  const most = mostPlaces(opened.utf8.length);
  return { refusals: [...refusalsOf(subject, schemas, most)], facts: subject.facts };
}

function subjectOf(opened: OpenedXml): Subject | RefusedDocument {
  const tree = new XmlTree(opened.document.root);
  const kind = tree.kind(tree.root);
  if (kind === null) return refuseOtherRoot(opened.utf8, tree);
  return { ...opened, tree, kind, facts: documentFacts(tree, kind) };
}

/** What is not asked for is not looked for: validation, the most expensive of the checks, comes last. */
function* refusalsOf(subject: Subject, schemas: Schemas, most = MOST_FINDINGS): Generator<RefusedDocument> {
  const { utf8, document, tree, kind, facts } = subject;
  yield* contentRefusals(subject, facts);
  const errors = document.validate(schemas[kind], most * ERRORS_OF_AN_ELEMENT);
  if (errors.length > 0) yield refuse('ERR-2002', schemaFindings(utf8, tree, errors, most));
}

/** The facts of a well-formed UBL Invoice or CreditNote, even an incomplete one; null for anything else. */
export function recogniseDocument(bytes: Uint8Array): InvoiceFacts | null {
  return readRecognised(bytes, documentFacts);
}

/** Reads a well-formed UBL Invoice or CreditNote, whether or not it would be accepted; null for anything else. */
export function readRecognised<Read>(
  bytes: Uint8Array,
  read: (tree: XmlTree, kind: DocumentKind) => Read,
): Read | null {
  const opened = openXml(bytes);
  if ('outcome' in opened) return null;
  using document = opened.document;
  const tree = new XmlTree(document.root);
  const kind = tree.kind(tree.root);
  return kind === null ? null : read(tree, kind);
}

/** What was taken before is read as it was then, so only here. */
function openSubmission(bytes: Uint8Array): OpenedXml | RefusedDocument {
  const misdeclared = misdeclaredUtf8(bytes);
  return misdeclared === null ? openXml(bytes) : refuse('ERR-2001', [misdeclared]);
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
    return { place: { ...positionOf(utf8, doctypeAt), path: null }, said: message('doctype-found') };
  }
  if (exceeded === null) return null;
  const place = { ...positionOf(utf8, exceeded.at), path: null };
  return { place, said: message('too-much-markup', { what: exceeded.what }) };
}

function parse(utf8: Buffer, survey: XmlSurvey): OpenedXml | RefusedDocument {
  const document = parseXml(utf8, survey.complete);
  if (!('root' in document)) return refuse('ERR-2001', parserFindings(utf8, document));
  const said = unsupportedMarkup(document, survey);
  if (said === null) return { utf8, survey, document };
  document[Symbol.dispose]();
  return refuse('ERR-2001', [{ place: { line: 1, column: 1, path: null }, said }]);
}

function unsupportedMarkup(document: ParsedXml, survey: XmlSurvey): Message | null {
  if (document.version !== '1.0') return message('another-xml-version');
  // The survey finds every DOCTYPE and follows every text that the parser accepts. Should the two ever disagree, the document is
  // refused, because the survey has not checked all of it.
  if (document.hasDoctype || !survey.complete) return message('structure-not-followed');
  return null;
}
