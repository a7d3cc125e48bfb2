import type { ConversionWarning, ConversionWarningCode } from '../../../domain/documents/conversion-warning.ts';
import type { Message, Sentence } from '../../../domain/messages/message.ts';
import { inEnglish } from '../../../domain/messages/render.ts';
import { shortPath, shortText, visibleText } from '../../../domain/values/one-line-text.ts';

export type ConversionFailureCode = 'NOT-EXPRESSIBLE' | 'SUPPLIER-MISMATCH' | 'TOTALS-MISMATCH';

const LONGEST_EXCERPT = 60;
const LONGEST_PATH = 200;
/** Of a path within a sentence, beside its own. */
const LONGEST_FURTHER_PATH = 120;

/** Thrown anywhere in a conversion; `convert` catches it and returns it as a value. */
export class ConversionFailure extends Error {
  readonly failureCode: ConversionFailureCode;
  readonly reason: Message;
  readonly path: string;

  constructor(failureCode: ConversionFailureCode, reason: Message, path: string) {
    super(reason.key);
    this.failureCode = failureCode;
    this.reason = reason;
    this.path = path;
  }
}

/** For a document that the authority's format cannot represent. */
export function notExpressible(reason: Message, path: string): never {
  throw new ConversionFailure('NOT-EXPRESSIBLE', reason, path);
}

/** A message with its place: `The price is missing (/Invoice/cac:InvoiceLine[2]/cac:Price).` */
export function sentenceAt(message: Message, path: string, line: Message | null = null): Sentence {
  return { ...message, ...(line === null ? {} : { line }), path: shortPath(path, LONGEST_PATH) };
}

export function warning(code: ConversionWarningCode, message: Message, path: string): ConversionWarning {
  const sentence = sentenceAt(message, path);
  return { code, text: inEnglish(sentence), path: shortPath(path, LONGEST_PATH), sentence };
}

/** A further place that a sentence names. */
export function excerptOfPath(path: string): string {
  return shortPath(path, LONGEST_FURTHER_PATH);
}

/** A name or number by which something in the document is found: short, on one line, as it reads. */
export function excerptOfName(name: string): string {
  return shortText(name, LONGEST_EXCERPT);
}

/** A value from a document that is wrong, safe to show: short, on one line, without characters that nobody sees. */
export function excerpt(value: string): string {
  return visibleText(value, LONGEST_EXCERPT);
}
