import type { Sentence } from '../messages/message.ts';

/**
 * Every code that a warning can have, with what it means. docs/delivery.md shows this table; tests hold the two together and make
 * each of the codes occur.
 */
export const WARNING_CATALOGUE = {
  'ACCOUNT-LEFT-OUT': 'Bank accounts, cards and mandates have no member.',
  'ADDRESS-LINE-LEFT-OUT': 'Further lines of an address have no member.',
  'ALLOWANCE-TOTAL-DIFFERS':
    'The stated sum of allowances or charges of the whole document is not that of those it has, which were registered.',
  'ATTACHMENT-LEFT-OUT': 'Attachments have no member; they stay with the document here.',
  'BUYER-NUMBER-MISSING':
    'The buyer is a natural person, but the document has a type for which the authority may require a tax number.',
  'BUYER-REFERENCE-LEFT-OUT': "The buyer's own reference and accounting reference have no member.",
  'DELIVERY-DATE-LEFT-OUT': 'The delivery is dated after the document, which the authority refuses.',
  'DELIVERY-LEFT-OUT': 'Deliveries beyond the first, those of single lines, and details of a delivery have no member.',
  'DELIVERY-TERMS-LEFT-OUT': 'The terms of delivery were left out: their member holds the place of delivery.',
  'DIRECTIVE-UNKNOWN':
    'A reference or note that begins with `UJP:` is no directive that is known, or none that counts for the document; it was left out.',
  'DUE-DATE-LEFT-OUT': 'The document is due on several days; the first was sent.',
  'ELEMENT-LEFT-OUT':
    'Other elements have no member, or do not fit what the document states elsewhere; the text says which.',
  'EXCHANGE-RATE-ASSUMED':
    "The document states no exchange rate between its currency and denars: the National Bank's on its date was taken.",
  'EXCHANGE-RATE-DATE-ASSUMED': "The exchange rate has no date: the document's was taken.",
  'EXEMPTION-ASSUMED':
    'The supply is exempt for no stated reason, or for one in words that are not the note of exactly one indicator: the indicator for exempt without credit was taken.',
  'HOUSE-NUMBER-ASSUMED': 'The address has no house number: "бб" (without number) was sent.',
  'HOUSE-NUMBER-MOVED': 'The house number is longer than the authority takes: it was sent behind the street.',
  'INDICATOR-UNLISTED':
    'The authority does not list an ordinary VAT indicator for the type of the document; it was sent all the same.',
  'ITEM-CODE-LEFT-OUT': "The standard code of an item was left out: its member holds the seller's code.",
  'ITEM-DESCRIPTION-LEFT-OUT': 'The description of an item was left out: its member holds the name.',
  'ITEM-DETAIL-LEFT-OUT': 'Properties, classifications and other details of items have no member.',
  'LINE-LEFT-OUT': 'The line has the quantity 0.',
  'MORE-WARNINGS': 'There are more warnings than are kept; the text says how many.',
  'NOTE-LEFT-OUT': 'Notes of single lines, and the reason of a credit note, have no member.',
  OTHER: 'A warning of an earlier version, which had no codes.',
  'PARTY-LEFT-OUT':
    'The payee, a tax representative, further parties, and details of a party have no member; or what a buyer abroad states as its number is no tax number.',
  'PARTY-NOT-REGISTERED': "The party is not in the taxpayers' register; the authority may reject its name or address.",
  'PAYABLE-ROUNDED':
    'The authority registers the amount to pay in whole denars; the text has both amounts. Net, VAT and total are as stated.',
  'PAYMENT-MEANS-LEFT-OUT': 'The document states several means of payment; the first was sent.',
  'PAYMENT-PERIOD-LEFT-OUT':
    'The payment period is not a whole number of days, is one of several, or is the one of a discount.',
  'PAYMENT-TYPE-ASSUMED':
    'The document states no means of payment, or one without a type of its own at the authority; the text says which was taken.',
  'PERIOD-LEFT-OUT':
    'A period ends before it begins, is one of several, is that of a line, or has details without a member.',
  'PERSON-ASSUMED': 'The buyer has no tax number and was taken as a natural person.',
  'PERSONAL-NUMBER-LEFT-OUT':
    "The buyer's number is the personal number (ЕМБГ) of a natural person, which is not sent.",
  'POSTAL-CODE-ASSUMED': 'A foreign address has no postal code: "-" was sent.',
  'POSTAL-CODE-MOVED':
    'A foreign postal code is longer than the authority takes: its beginning was sent, all of it behind the city.',
  'PREPAID-TOTAL-DIFFERS':
    'The stated prepaid amount is not the sum of the prepayments that the document has; the stated one was registered.',
  'QUANTITY-NEGATIVE': 'The quantity of a line is negative, which the authority may reject.',
  'REFERENCE-LEFT-OUT': 'A reference, or a part of it, cannot be sent; the text says why.',
  'REFERENCE-NOT-REGISTERED': 'An earlier invoice is not known to be registered: it was named as another document.',
  'REVERSE-CHARGE-RATE-ASSUMED': 'The reverse charge states no rate: the one that is set for the taxpayer was taken.',
  'SELLER-REGISTERED':
    'A taxpayer who is registered for VAT states the tax indicator of sellers who are not; it was sent as stated.',
  'TEXT-LEFT-OUT': 'A text is longer than the authority takes, and would say something else when it is cut.',
  'TEXT-SHORTENED': 'A text is longer than the authority takes, or than is certain to be taken.',
  'UNIT-ASSUMED': 'The line states no unit: "бр." (pieces) was sent.',
  'UNIT-PRICE-ROUNDED':
    'The stated price times the quantity does not give the line total: the price was taken as rounded, and one that follows from the total was sent.',
  'VAT-NUMBER-LEFT-OUT':
    'The document states a VAT number of a taxpayer that is not registered for VAT at the authority.',
} as const satisfies Readonly<Record<string, string>>;

export type ConversionWarningCode = keyof typeof WARNING_CATALOGUE;

/** What was left out, shortened or assumed when a document was converted, and what the authority may reject. */
export type ConversionWarning = {
  /** Stable, for programs. */
  readonly code: ConversionWarningCode;
  /** A sentence for people, in English. */
  readonly text: string;
  /** The element of the document that it is about. */
  readonly path: string | null;
  /** The sentence in no language yet; missing where an earlier version converted the document. */
  readonly sentence?: Sentence;
};
