import type { ConversionWarning, ConversionWarningCode } from '../../../domain/documents/conversion-warning.ts';
import { quotedText, shortPath } from '../../../domain/values/one-line-text.ts';

export type ConversionFailureCode = 'NOT-EXPRESSIBLE' | 'SUPPLIER-MISMATCH' | 'TOTALS-MISMATCH';

const LONGEST_QUOTE = 60;
const LONGEST_PATH = 200;

/** Thrown anywhere in a conversion; `convert` catches it and returns it as a value. */
export class ConversionFailure extends Error {
  readonly failureCode: ConversionFailureCode;

  constructor(failureCode: ConversionFailureCode, message: string) {
    super(message);
    this.failureCode = failureCode;
  }
}

/** For a document that the authority's format cannot represent. The sentence is passed without its full stop. */
export function notExpressible(sentence: string, path: string): never {
  throw new ConversionFailure('NOT-EXPRESSIBLE', withPath(sentence, path));
}

/** A sentence with the path of its element: `The price is missing (/Invoice/cac:InvoiceLine[2]/cac:Price).` */
export function withPath(sentence: string, path: string): string {
  return `${sentence} (${shortPath(path, LONGEST_PATH)}).`;
}

/** The sentence is passed without its full stop. */
export function warning(code: ConversionWarningCode, sentence: string, path: string): ConversionWarning {
  return { code, text: withPath(sentence, path), path: shortPath(path, LONGEST_PATH) };
}

/** A value from a document, safe to show: short, on one line, without control characters. */
export function quoted(value: string): string {
  return quotedText(value, LONGEST_QUOTE);
}
