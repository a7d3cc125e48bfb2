import assert from 'node:assert/strict';
import { convertToText } from '../../../../../src/adapters/ujp/preparation/convert-to-text.ts';
import type { ConversionWarning } from '../../../../../src/domain/documents/conversion-warning.ts';
import type { InvoiceContent } from '../../../../../src/domain/documents/invoice-content.ts';
import { CONTEXT } from '../sample-content.ts';

/** A number of the text that is sent, as it is written there. */
type Written = { readonly written: string };
export type SentObject = { readonly [member: string]: Written | string | null };
export type Sent = {
  readonly docItems: readonly SentObject[];
  readonly docTotals: SentObject;
  readonly vatTotals: readonly SentObject[];
};

export type Outcome =
  | { readonly sent: Sent; readonly text: string; readonly warnings: readonly ConversionWarning[] }
  | { readonly failure: string; readonly message: string };

/** Exact values are integers of this many decimals, products of two of them of twice as many. */
export const SCALE = 18;
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u;
const MOST_DIGITS = 15;

type ReadNumber = (name: string, value: unknown, context: { readonly source?: string }) => unknown;
type ExactParse = (text: string, read: ReadNumber) => { readonly document: Sent };

/** Converts a document and reads the text that would be signed, with its numbers as they are written. */
export function outcomeOf(content: InvoiceContent): Outcome {
  const preparation = convertToText(content, CONTEXT);
  if (preparation.outcome === 'failed') return { failure: preparation.failureCode, message: preparation.message };
  const parse = JSON.parse as ExactParse;
  const { document } = parse(preparation.document.text, (_, value, { source }) =>
    typeof value === 'number' ? { written: source } : value,
  );
  return { sent: document, text: preparation.document.text, warnings: preparation.warnings };
}

/** The exact value of a member, which must be a plain decimal number that a double can hold. */
export function exactValue(object: SentObject, member: string): bigint {
  const value = object[member];
  assert.ok(value !== null && typeof value === 'object', `${member} is no number`);
  const { written } = value;
  assert.ok(PLAIN_NUMBER.test(written), `${member} is no plain number: ${written}`);
  const [whole = '', fraction = ''] = written.split('.');
  const isHeld = written.length <= MOST_DIGITS || (whole + fraction).replace(/^-?0*/u, '').length <= MOST_DIGITS;
  assert.ok(isHeld, `${member} has too many digits: ${written}`);
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
}

/** The value of a member in cents, of which it must be a whole number. */
export function centsOf(object: SentObject, member: string): bigint {
  const cent = 10n ** BigInt(SCALE - 2);
  const value = exactValue(object, member);
  assert.equal(value % cent, 0n, `${member} is no whole number of cents`);
  return value / cent;
}
