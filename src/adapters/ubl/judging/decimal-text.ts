const DECIMAL = /^([+-]?)0*([1-9]\d*)?(?:\.(\d*))?$/u;

/** More than any amount of money needs; a JSON number would not hold the digits anyway. */
export const MAX_DIGITS = 30;
const MAX_LENGTH = 100;

/** An `xs:decimal` in plain notation with every digit kept: ` +5.00 ` is `5.00`, `.5` is `0.5`. Null for anything else. */
export function decimalText(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH || !/\d/u.test(trimmed)) return null;
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(trimmed) ?? [];
  if (sign === undefined || whole.length + fraction.length > MAX_DIGITS) return null;
  const plain = `${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`;
  return sign === '-' && /[1-9]/u.test(plain) ? `-${plain}` : plain;
}

/** Whether a text that `decimalText` does not read is a number all the same, with more digits than it takes. */
export function hasTooManyDigits(text: string): boolean {
  const trimmed = text.trim();
  return decimalText(trimmed) === null && DECIMAL.test(trimmed) && /\d/u.test(trimmed);
}
