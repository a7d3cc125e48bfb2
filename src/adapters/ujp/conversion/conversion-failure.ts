export type ConversionFailureCode = 'NOT-EXPRESSIBLE' | 'SUPPLIER-MISMATCH' | 'TOTALS-MISMATCH';

const LONGEST_QUOTE = 60;
const LONGEST_PATH = 200;

/** Ends a conversion from whatever depth it was found at; `convert` catches it and answers with a value. */
export class ConversionFailure extends Error {
  readonly failureCode: ConversionFailureCode;

  constructor(failureCode: ConversionFailureCode, message: string) {
    super(message);
    this.failureCode = failureCode;
  }
}

/** For what the authority's document has no place for. The sentence comes without its full stop. */
export function notExpressible(sentence: string, path: string): never {
  throw new ConversionFailure('NOT-EXPRESSIBLE', located(sentence, path));
}

/** A sentence with its place in the document: `The price is missing (/Invoice/cac:InvoiceLine[2]/cac:Price).` */
export function located(sentence: string, path: string): string {
  return `${sentence} (${path.length <= LONGEST_PATH ? path : `…${path.slice(1 - LONGEST_PATH)}`}).`;
}

/** A value out of a document, fit to be shown: short, on one line, without characters that act on a terminal or a page. */
export function quoted(value: string): string {
  const harmless = value
    .slice(0, 4 * LONGEST_QUOTE)
    .trim()
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '\u{FFFD}');
  const characters = [...harmless];
  return `“${characters.length <= LONGEST_QUOTE ? harmless : `${characters.slice(0, LONGEST_QUOTE - 1).join('')}…`}”`;
}
