/** Why a document cannot be sent: its header, payment, references and parties. Values stand in braces. */
export const DOCUMENT = {
  'value-too-long': 'The number “{value}” has more than {most|digit|digits}; round it',
  'value-unusable': '“{value}” is not a usable number or date; correct it',
  'foreign-currency-unconfirmed':
    'The document is in “{currency}”, and it is not certain that the authority takes amounts in another currency than denars; issue it in {denar}, or have the operator confirm it ({command}) and queue the document again',
  'type-proforma':
    'Type {code} is a proforma invoice, which the authority does not accept as an invoice; issue an invoice',
  'type-self-billed-invoice':
    'Type {code} is a self-billed invoice, which its receiver cannot issue through the authority; the seller must issue it',
  'type-self-billed-credit-note':
    'Type {code} is a self-billed credit note, which its receiver cannot issue through the authority; the seller must issue it',
  'type-of-credit-note':
    'Type {code} is a credit note, and the document is an Invoice; submit it as a UBL CreditNote, with positive amounts, or state one of {expected}, or {directive}',
  'type-of-invoice':
    'Type {code} is no credit note, and the document is a CreditNote; submit it as a UBL Invoice, or state one of {expected}, or {directive}',
  'type-code-missing': 'The type code is missing; expected one of {expected}, or {directive}',
  'type-code-unknown': 'The authority has no type “{code}”; expected one of {expected}, or {directive}',
  'type-not-in-force':
    "The authority's list has no document type “{code}” in force on {date}; state one of the code list {list}",
  'no-type-in-force':
    "The document is dated {date}, and no document type of the authority's list is in force on that day; correct the date",
  'date-missing': 'The date of the document is missing; state it',
  'number-missing': 'The number of the document is missing; state it',
  'number-too-long':
    'The number of the document has {length|character|characters}, and the authority allows {limit}; shorten it',
  'supply-after-document':
    "The supply is dated {date}, after the document's date {documentDate}; correct the date that is wrong",
  'delivery-after-document':
    "The delivery is dated {date}, after the document's date {documentDate}, and no other date of supply is stated; state it in {element}, or correct the date that is wrong",
  'payment-type-unlisted':
    "The payment type “{code}” is not in the authority's list; state one of the code list {list}",

  'correction-reason-missing': 'The reason for the correction is missing; state its code in {element}',
  'correction-reason-unlisted':
    "The correction reason “{code}” is not in the authority's list; state one of the code list {list}",
  'reference-required':
    'A document of type {type} must refer to another document, but names none with a date; state its number and date',
  'correction-of-one-document':
    'A correction must refer to exactly one document, but {count} are named; name only the one that it corrects',
  'corrected-not-registered':
    'The corrected document “{number}” is not known to be registered; correct its number and date, or state its EUID in cbc:UUID',
  'corrected-later':
    'The corrected document is dated {date}, after the correction itself ({documentDate}); correct the date that is wrong',
  'correction-type-unserved':
    "The authority's list has no reference type for a correction; the operator must ask the authority",

  'supplier-number-missing':
    'The document names no tax number (EDB) of its supplier, but the document was submitted for the taxpayer {taxpayer}; state the tax number',
  'supplier-number-other':
    "The supplier's tax number is {number}, but the document was submitted for the taxpayer {taxpayer}; correct the supplier, or submit it with the supplier's key",
  'buyer-number-too-long':
    "The buyer's tax number has {length|character|characters}, and the authority allows {limit}; correct it",
  'buyer-number-malformed': "The buyer's tax number “{number}” is not an EDB of 13 digits; correct it",
  'buyer-number-of-trade':
    "The buyer's number “{number}” is by its scheme “{scheme}” no tax number; state the EDB of the buyer in {element}",
  'party-name-missing': 'The name of the {party} is missing; state it',
  'street-missing': 'The street of the {party} is missing, which the authority requires; state it',
  'city-missing': 'The city of the {party} is missing, which the authority requires; state it',
  'postal-code-missing': 'The postal code of the {party} is missing, which the authority requires; state it',
  'postal-code-too-long':
    'In the address of the {party} the postal code has {length|character|characters}, and the authority allows {limit}; correct it',
  'house-number-too-long':
    'In the address of the {party} the house number has {length|character|characters}, more than {limit}, and does not fit behind the street either; shorten it',
  'country-unlisted':
    "The country “{code}” of the {party} is not in the authority's list; state one of the code list {list}",
  seller: 'seller',
  buyer: 'buyer',
} as const;
