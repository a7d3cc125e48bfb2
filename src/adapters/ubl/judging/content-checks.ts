import { foldedTaxNumber, isHomeCountry, partyTaxNumber } from '../../../domain/accounts/tax-number.ts';
import type { InvoiceFacts, PartyFacts } from '../../../domain/documents/invoice-facts.ts';
import { type Message, message } from '../../../domain/messages/message.ts';
import { placeOf } from '../xml/element-place.ts';
import { firstNonBlank, firstText, MAX_FACT_LENGTH } from '../xml/first-text.ts';
import type { ElementNumber, ReadableTree } from '../xml/readable-tree.ts';
import { positionOf } from '../xml/text-position.ts';
import type { XmlSurvey } from '../xml/xml-survey.ts';
import type { XmlTree } from '../xml/xml-tree.ts';
import { hasTooManyDigits, MAX_DIGITS } from './decimal-text.ts';
import { partyOf, payableAmount, typeCodeName } from './document-facts.ts';
import type { RefusedDocument } from './findings.ts';
import { quoted, refuse } from './findings.ts';
import { statedTaxNumber } from './party-facts.ts';

/** Some senders write the name of the standard before its version. A document may leave the version out. */
const VERSION = /^(?:UBL(?:\s+|-)?)?2\.1$/iu;

/** Cut short, two numbers could become the same one: lists, searches and the search for duplicates all use them. */
const MAX_NUMBER_LENGTH = MAX_FACT_LENGTH;

/** The ЕМБС of a company, which has an EDB beside it. */
const REGISTRATION_NUMBER = /^\d{7}$/u;

/** The authority takes no longer ones. */
const MAX_FOREIGN_NUMBER_LENGTH = 30;

type Document = { readonly utf8: Buffer; readonly tree: XmlTree; readonly survey: XmlSurvey };

/** What a document can be refused for beside its schema: whether it is, and what is then said of it. */
type Check = {
  readonly fails: (tree: ReadableTree, facts: InvoiceFacts) => boolean;
  readonly refusal: (document: Document, facts: InvoiceFacts) => RefusedDocument;
};

/** The checks that have error codes of their own, in the documented order; a field that names a tenant comes after the version. */
const VERSION_CHECK: Check = { fails: isOtherVersion, refusal: otherVersion };
const FACT_CHECKS: readonly Check[] = [
  { fails: (_, { recipient }) => recipient.name === null && recipient.taxNumber === null, refusal: recipientMissing },
  { fails: (_, { recipient }) => partyTaxNumber(recipient).kind === 'malformed', refusal: recipientNumberMalformed },
  { fails: (_, { typeCode }) => typeCode === null, refusal: documentTypeMissing },
  { fails: (_, { amount }) => amount === null, refusal: amountMissing },
  { fails: isNumberTooLong, refusal: numberTooLong },
];

/** One after the other, as far as they are asked for: a submission is told of the first alone. */
export function* contentRefusals(document: Document, facts: InvoiceFacts): Generator<RefusedDocument> {
  if (VERSION_CHECK.fails(document.tree, facts)) yield VERSION_CHECK.refusal(document, facts);
  const tenantNamed = tenantField(document);
  if (tenantNamed !== null) yield tenantNamed;
  for (const { fails, refusal } of FACT_CHECKS) if (fails(document.tree, facts)) yield refusal(document, facts);
}

/** Whether any of the checks refuses a document that names no tenant. */
export function isRefusedForContent(tree: ReadableTree, facts: InvoiceFacts): boolean {
  return [VERSION_CHECK, ...FACT_CHECKS].some(({ fails }) => fails(tree, facts));
}

function statedVersion(tree: ReadableTree): string | null {
  return firstText(tree, tree.root, ['cbc:UBLVersionID']);
}

function isOtherVersion(tree: ReadableTree): boolean {
  const stated = statedVersion(tree);
  return stated !== null && !VERSION.test(stated);
}

function otherVersion({ utf8, tree }: Document): RefusedDocument {
  const place = nearest(utf8, tree, ['cbc:UBLVersionID']);
  const version = quoted(statedVersion(tree) ?? '');
  return refuse('ERR-2002', [{ place, said: message('version-not-supported', { version }) }]);
}

function tenantField({ utf8, survey }: Document): RefusedDocument | null {
  const field = survey.tenantField;
  if (field === null) return null;
  const place = { ...positionOf(utf8, field.at), path: field.path };
  const name = quoted(field.name);
  const isElement = field.kind === 'element';
  const said = isElement ? message('tenant-element-named', { name }) : message('tenant-attribute-named', { name });
  return refuse('ERR-1007', [{ place, said }]);
}

function recipientMissing({ utf8, tree }: Document): RefusedDocument {
  const place = nearest(utf8, tree, ['cac:AccountingCustomerParty', 'cac:Party']);
  const expected = { party: 'cac:AccountingCustomerParty/cac:Party', number: 'cac:PartyTaxScheme/cbc:CompanyID' };
  return refuse('ERR-2003', [{ place, said: message('recipient-missing', expected) }]);
}

function recipientNumberMalformed({ utf8, tree }: Document, { recipient: party }: InvoiceFacts): RefusedDocument {
  const element = partyOf(tree, 'cac:AccountingCustomerParty') ?? tree.root;
  const place = placeOf(utf8, tree, statedTaxNumber(tree, element, party.country)?.element ?? element);
  const said = message('recipient-number-malformed', {
    number: quoted(party.taxNumber ?? ''),
    expected: expectedNumber(party),
  });
  return refuse('ERR-2004', [{ place, said }]);
}

function expectedNumber({ taxNumber, country }: PartyFacts): Message {
  if (!isHomeCountry(country)) return message('at-most-characters', { most: MAX_FOREIGN_NUMBER_LENGTH });
  const expected = country === null ? message('edb-without-country') : message('edb-at-home');
  const isRegistrationNumber = REGISTRATION_NUMBER.test(foldedTaxNumber(taxNumber ?? ''));
  return isRegistrationNumber ? message('edb-not-registration-number', { expected }) : expected;
}

function documentTypeMissing({ utf8, tree }: Document, { kind }: InvoiceFacts): RefusedDocument {
  const place = nearest(utf8, tree, [typeCodeName(kind)]);
  return refuse('ERR-2005', [{ place, said: message('document-type-missing', { element: typeCodeName(kind) }) }]);
}

function amountMissing({ utf8, tree }: Document): RefusedDocument {
  const element = payableAmount(tree);
  const text = element === null ? '' : tree.text(element).trim();
  const place = nearest(utf8, tree, ['cac:LegalMonetaryTotal', 'cbc:PayableAmount']);
  const expected = { element: 'cac:LegalMonetaryTotal/cbc:PayableAmount', example: '1234.50' };
  return refuse('ERR-2006', [{ place, said: amountFault(text, expected) }]);
}

function amountFault(text: string, expected: { readonly element: string; readonly example: string }): Message {
  if (text === '') return message('payable-amount-missing', expected);
  const amount = quoted(text);
  if (hasTooManyDigits(text))
    return message('amount-too-long', { amount, most: MAX_DIGITS, element: expected.element });
  return message('amount-not-a-number', { amount, ...expected });
}

/** The element with the number, and how many characters that has. */
function statedNumber(tree: ReadableTree): { readonly element: ElementNumber; readonly length: number } | null {
  const found = firstNonBlank(tree, tree.root, ['cbc:ID']);
  return found === null ? null : { element: found.element, length: [...tree.text(found.element).trim()].length };
}

function isNumberTooLong(tree: ReadableTree): boolean {
  return (statedNumber(tree)?.length ?? 0) > MAX_NUMBER_LENGTH;
}

function numberTooLong({ utf8, tree }: Document): RefusedDocument {
  const { element, length } = statedNumber(tree) ?? { element: tree.root, length: 0 };
  const said = message('number-longer-than-kept', { length, most: MAX_NUMBER_LENGTH });
  return refuse('ERR-2002', [{ place: placeOf(utf8, tree, element), said }]);
}

/** The place of the element at a path, or of its deepest ancestor that exists. */
function nearest(utf8: Buffer, tree: XmlTree, path: readonly string[]): ReturnType<typeof placeOf> {
  let element: ElementNumber = tree.root;
  for (const name of path) element = tree.childrenNamed(element, name)[0] ?? element;
  return placeOf(utf8, tree, element);
}
