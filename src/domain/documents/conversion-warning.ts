/**
 * Every code that a warning can have, with what it means. docs/delivery.md shows this table; tests hold the two together and make
 * each of the codes occur.
 */
export const WARNING_CATALOGUE = {
  'DELIVERY-DATE-LEFT-OUT': 'The delivery is dated after the document, which the authority refuses.',
  'DELIVERY-LOCATION-LEFT-OUT': 'A text of the delivery location is longer than the authority takes.',
  'EXEMPTION-ASSUMED': 'The supply is exempt for no stated reason: the indicator for exempt without credit was taken.',
  'LINE-LEFT-OUT': 'The line has the quantity 0.',
  'MORE-WARNINGS': 'There are more warnings than are kept; the text says how many.',
  OTHER: 'A warning of an earlier version, which had no codes.',
  'PARTY-NOT-REGISTERED': "The party is not in the taxpayers' register; the authority may reject its name or address.",
  'PAYMENT-PERIOD-LEFT-OUT': 'The payment period is not a whole number of days.',
  'POSTAL-CODE-MOVED':
    'A foreign postal code is longer than the authority takes: its beginning was sent, all of it behind the city.',
  'QUANTITY-NEGATIVE': 'The quantity of a line is negative, which the authority may reject.',
  'REFERENCE-LEFT-OUT': 'A reference cannot be sent; the text says why.',
  'REVERSE-CHARGE-RATE-ASSUMED': 'The reverse charge states no rate: the one that is set for the taxpayer was taken.',
  'UNIT-PRICE-ROUNDED': 'Quantity × unit price differs from the line total, which the authority may reject.',
} as const satisfies Readonly<Record<string, string>>;

export type ConversionWarningCode = keyof typeof WARNING_CATALOGUE;

/** What was left out, shortened or assumed when a document was converted, and what the authority may reject. */
export type ConversionWarning = {
  /** Stable, for programs. */
  readonly code: ConversionWarningCode;
  /** A sentence for people. */
  readonly text: string;
  /** The element of the document that it is about. */
  readonly path: string | null;
};
