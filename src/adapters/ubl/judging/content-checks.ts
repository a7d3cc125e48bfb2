import { isHomeCountry, partyTaxNumber } from '../../../domain/accounts/tax-number.ts';
import type { InvoiceFacts } from '../../../domain/documents/invoice-facts.ts';
import { type Message, message } from '../../../domain/messages/message.ts';
import { placeOf } from '../xml/element-place.ts';
import { firstNonBlank, firstText, MAX_FACT_LENGTH } from '../xml/first-text.ts';
import { positionOf } from '../xml/text-position.ts';
import type { XmlSurvey } from '../xml/xml-survey.ts';
import type { ElementRef, XmlTree } from '../xml/xml-tree.ts';
import { partyOf, payableAmount, typeCodeName } from './document-facts.ts';
import type { RefusedDocument } from './findings.ts';
import { quoted, refuse } from './findings.ts';
import { statedTaxNumber } from './party-facts.ts';

/** Some senders write the name of the standard before its version. A document may leave the version out. */
const VERSION = /^(?:UBL[ -]?)?2\.1$/iu;

/** Cut short, two numbers could become the same one: lists, searches and the search for duplicates all use them. */
const MAX_NUMBER_LENGTH = MAX_FACT_LENGTH;

/** The authority takes no longer ones. */
const MAX_FOREIGN_NUMBER_LENGTH = 30;

type Document = { readonly utf8: Buffer; readonly tree: XmlTree; readonly survey: XmlSurvey };
type Check = (document: Document, facts: InvoiceFacts) => RefusedDocument | null;

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
export function* contentRefusals(document: Document, facts: InvoiceFacts): Generator<RefusedDocument> {
  for (const check of CHECKS) {
    const refusal = check(document, facts);
    if (refusal !== null) yield refusal;
  }
}

function version({ utf8, tree }: Document): RefusedDocument | null {
  const stated = firstText(tree, tree.root, ['cbc:UBLVersionID']);
  if (stated === null || VERSION.test(stated)) return null;
  const place = nearest(utf8, tree, ['cbc:UBLVersionID']);
  return refuse('ERR-2002', [{ place, said: message('version-not-supported', { version: quoted(stated) }) }]);
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

function recipient({ utf8, tree }: Document, { recipient: party }: InvoiceFacts): RefusedDocument | null {
  if (party.name !== null || party.taxNumber !== null) return null;
  const place = nearest(utf8, tree, ['cac:AccountingCustomerParty', 'cac:Party']);
  const expected = { party: 'cac:AccountingCustomerParty/cac:Party', number: 'cac:PartyTaxScheme/cbc:CompanyID' };
  return refuse('ERR-2003', [{ place, said: message('recipient-missing', expected) }]);
}

function recipientTaxNumber({ utf8, tree }: Document, { recipient: party }: InvoiceFacts): RefusedDocument | null {
  if (partyTaxNumber(party).kind !== 'malformed') return null;
  const element = partyOf(tree, 'cac:AccountingCustomerParty') ?? tree.root;
  const place = placeOf(utf8, tree, statedTaxNumber(tree, element, party.country)?.element ?? element);
  const said = message('recipient-number-malformed', {
    number: quoted(party.taxNumber ?? ''),
    expected: expectedNumber(party.country),
  });
  return refuse('ERR-2004', [{ place, said }]);
}

function expectedNumber(country: string | null): Message {
  if (!isHomeCountry(country)) return message('at-most-characters', { most: MAX_FOREIGN_NUMBER_LENGTH });
  return country === null ? message('edb-without-country') : message('edb-at-home');
}

function documentType({ utf8, tree }: Document, { kind, typeCode }: InvoiceFacts): RefusedDocument | null {
  if (typeCode !== null) return null;
  const place = nearest(utf8, tree, [typeCodeName(kind)]);
  return refuse('ERR-2005', [{ place, said: message('document-type-missing', { element: typeCodeName(kind) }) }]);
}

function amount({ utf8, tree }: Document, facts: InvoiceFacts): RefusedDocument | null {
  if (facts.amount !== null) return null;
  const element = payableAmount(tree);
  const text = element === null ? '' : tree.text(element).trim();
  const place = nearest(utf8, tree, ['cac:LegalMonetaryTotal', 'cbc:PayableAmount']);
  const expected = { element: 'cac:LegalMonetaryTotal/cbc:PayableAmount', example: '1234.50' };
  const said =
    text === ''
      ? message('payable-amount-missing', expected)
      : message('amount-not-a-number', { amount: quoted(text), ...expected });
  return refuse('ERR-2006', [{ place, said }]);
}

function documentNumber({ utf8, tree }: Document): RefusedDocument | null {
  const found = firstNonBlank(tree, tree.root, ['cbc:ID']);
  const length = found === null ? 0 : [...tree.text(found.element).trim()].length;
  if (found === null || length <= MAX_NUMBER_LENGTH) return null;
  const said = message('number-longer-than-kept', { length, most: MAX_NUMBER_LENGTH });
  return refuse('ERR-2002', [{ place: placeOf(utf8, tree, found.element), said }]);
}

/** The place of the element at a path, or of its deepest ancestor that exists. */
function nearest(utf8: Buffer, tree: XmlTree, path: readonly string[]): ReturnType<typeof placeOf> {
  let element: ElementRef = tree.root;
  for (const name of path) element = tree.childrenNamed(element, name)[0] ?? element;
  return placeOf(utf8, tree, element);
}
