import { type Decimal, formatShortest, parseDecimal } from '../../../domain/values/decimal.ts';
import { isFlat } from '../answers/json-object.ts';

/** A number of a JSON text with every digit that it was written with: as a double it could lose some. */
export class ExactNumber {
  readonly decimal: Decimal;

  constructor(decimal: Decimal) {
    this.decimal = decimal;
  }
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/u;
/** Far more than any amount has; calculating with longer ones would take as long as somebody likes. */
const MOST_DIGITS = 30;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** Of objects, lists, texts, numbers, and the words true, false and null. */
const JSON_STARTS: ReadonlySet<string> = new Set('{["-0123456789tfn');

/** Known to V8, not yet to the compiler's library: the text that a value was read from. */
type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;
type RawJson = { readonly rawJSON: (text: string) => unknown };
type ParseWithSource = (text: string, reviver: Reviver) => unknown;

/**
 * Null for what is no JSON in UTF-8, or nested far more deeply than any document: what is read must be written again, and both take the stack. V8 keeps a text that it could not parse until it next
 * collects the whole heap, so a file that does not begin like JSON is not tried.
 */
export function parseExactJson(bytes: Uint8Array): { readonly value: unknown } | null {
  if (!mayBeJson(bytes) || !isFlat(bytes)) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { value: (JSON.parse as ParseWithSource)(text, exactly) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Begins like JSON: other files need not be parsed to tell. */
export function mayBeJson(bytes: Uint8Array): boolean {
  let at = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0;
  while (isBlank(bytes[at])) at += 1;
  return JSON_STARTS.has(String.fromCharCode(bytes[at] ?? 0));
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** What is too long to be calculated with stays a double, which no member takes. */
function exactly(_name: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  const decimal = exactDecimal(source);
  return decimal === null ? value : new ExactNumber(decimal);
}

/** `1.5e-7` is 0.00000015. */
function exactDecimal(source: string): Decimal | null {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  const moved = Number(exponent);
  if (whole === '' || whole.length + fraction.length + Math.abs(moved) > MOST_DIGITS) return null;
  const digits = `${whole}${fraction}`;
  const scale = fraction.length - moved;
  if (scale <= 0) return parseDecimal(`${sign}${digits}${'0'.repeat(-scale)}`);
  const padded = digits.padStart(scale + 1, '0');
  return parseDecimal(`${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`);
}

/** A value that was read so, as JSON again. */
export function exactJsonText(value: unknown): string {
  const { rawJSON } = JSON as typeof JSON & RawJson;
  const written = (_: string, member: unknown) =>
    member instanceof ExactNumber ? rawJSON(formatShortest(member.decimal)) : member;
  return JSON.stringify(value, written) ?? '';
}
