import { isHomeCountry, partyTaxNumber } from '../../../domain/accounts/tax-number.ts';
import type { InvoiceFacts } from '../../../domain/documents/invoice-facts.ts';
import { placeOf } from '../xml/element-place.ts';
import { firstNonBlank, firstText, MAX_FACT_LENGTH } from '../xml/first-text.ts';
import { positionOf } from '../xml/text-position.ts';
import type { XmlSurvey } from '../xml/xml-survey.ts';
import type { ElementRef, XmlTree } from '../xml/xml-tree.ts';
import { partyOf, payableAmount, typeCodeName } from './document-facts.ts';
import type { Refusal } from './findings.ts';
import { quoted, refuse } from './findings.ts';
import { statedTaxNumber } from './party-facts.ts';

/** Some senders write the name of the standard before its version. A document may leave the version out. */
const VERSION = /^(?:UBL[ -]?)?2\.1$/iu;

/** Cut short, two numbers could become the same one: lists, searches and the search for duplicates all use them. */
const MAX_NUMBER_LENGTH = MAX_FACT_LENGTH;

type Document = { readonly utf8: Buffer; readonly tree: XmlTree; readonly survey: XmlSurvey };
type Check = (document: Document, facts: InvoiceFacts) => Refusal | null;

/** The checks that have error codes of their own, in the documented order. */
const CHECKS: readonly Check[] = [
  version,
  tenantField,
  recipient,
  recipientTaxNumber,
  documentType,
  amount,
  documentNumber,
];

/** One after the other, as far as they are asked for: a submission is told of the first alone. */
export function* contentRefusals(document: Document, facts: InvoiceFacts): Generator<Refusal> {
  for (const check of CHECKS) {
    const refusal = check(document, facts);
    if (refusal !== null) yield refusal;
  }
}

function version({ utf8, tree }: Document): Refusal | null {
  const stated = firstText(tree, tree.root, ['cbc:UBLVersionID']);
  if (stated === null || VERSION.test(stated)) return null;
  const place = nearest(utf8, tree, ['cbc:UBLVersionID']);
  return refuse('ERR-2002', [{ place, text: `The document says it is UBL version ${quoted(stated)}; expected 2.1.` }]);
}

function tenantField({ utf8, survey }: Document): Refusal | null {
  const field = survey.tenantField;
  if (field === null) return null;
  const place = { ...positionOf(utf8, field.at), path: field.path };
  const text = `The ${field.kind} ${quoted(field.name)} identifies a tenant. The tenant follows from the API key; leave the ${field.kind} out.`;
  return refuse('ERR-1007', [{ place, text }]);
}

function recipient({ utf8, tree }: Document, { recipient: party }: InvoiceFacts): Refusal | null {
  if (party.name !== null || party.taxNumber !== null) return null;
  const place = nearest(utf8, tree, ['cac:AccountingCustomerParty', 'cac:Party']);
  const text =
    'The recipient is missing; expected cac:AccountingCustomerParty/cac:Party with a tax number (cac:PartyTaxScheme/cbc:CompanyID) or at least a name.';
  return refuse('ERR-2003', [{ place, text }]);
}

function recipientTaxNumber({ utf8, tree }: Document, { recipient: party }: InvoiceFacts): Refusal | null {
  if (partyTaxNumber(party).kind !== 'malformed') return null;
  const expected = isHomeCountry(party.country)
    ? `an EDB of 13 digits, with or without MK before it, for a recipient ${party.country === null ? 'whose country is not given' : 'in MK'}`
    : 'at most 30 characters';
  const element = partyOf(tree, 'cac:AccountingCustomerParty') ?? tree.root;
  const place = placeOf(utf8, tree, statedTaxNumber(tree, element, party.country)?.element ?? element);
  const text = `The recipient's tax number ${quoted(party.taxNumber ?? '')} is malformed; expected ${expected}.`;
  return refuse('ERR-2004', [{ place, text }]);
}

function documentType({ utf8, tree }: Document, { kind, typeCode }: InvoiceFacts): Refusal | null {
  if (typeCode !== null) return null;
  const place = nearest(utf8, tree, [typeCodeName(kind)]);
  return refuse('ERR-2005', [{ place, text: `The document type is missing; expected ${typeCodeName(kind)}.` }]);
}

function amount({ utf8, tree }: Document, facts: InvoiceFacts): Refusal | null {
  if (facts.amount !== null) return null;
  const element = payableAmount(tree);
  const text = element === null ? '' : tree.text(element).trim();
  const found = text === '' ? 'The amount is missing' : `The amount ${quoted(text)} is not a number`;
  const place = nearest(utf8, tree, ['cac:LegalMonetaryTotal', 'cbc:PayableAmount']);
  const expected = 'expected cac:LegalMonetaryTotal/cbc:PayableAmount with a decimal number such as 1234.50';
  return refuse('ERR-2006', [{ place, text: `${found}; ${expected}.` }]);
}

function documentNumber({ utf8, tree }: Document): Refusal | null {
  const found = firstNonBlank(tree, tree.root, ['cbc:ID']);
  const length = found === null ? 0 : [...tree.text(found.element).trim()].length;
  if (found === null || length <= MAX_NUMBER_LENGTH) return null;
  const text = `The document number has ${length} characters; expected at most ${MAX_NUMBER_LENGTH}.`;
  return refuse('ERR-2002', [{ place: placeOf(utf8, tree, found.element), text }]);
}

/** The place of the element at a path, or of its deepest ancestor that exists. */
function nearest(utf8: Buffer, tree: XmlTree, path: readonly string[]): ReturnType<typeof placeOf> {
  let element: ElementRef = tree.root;
  for (const name of path) element = tree.childrenNamed(element, name)[0] ?? element;
  return placeOf(utf8, tree, element);
}
