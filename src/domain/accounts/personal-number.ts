/** Day, month and the last three digits of the year of birth, region, number, check digit. */
const FORM = /^(\d{2})(\d{2})(\d{3})\d{6}$/u;
const WEIGHTS = [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
const MODULUS = 11;
/** Numbers whose check digit would be 10 are not given to anybody. */
const NOT_ISSUED = 10;
/** Nobody alive was born before 1800: `985` is 1985, `006` is 2006. */
const FIRST_YEAR = 800;

/**
 * Whether a number of 13 digits is formed like the personal number (ЕМБГ) of a natural person. Its check digit is computed like that
 * of an EDB, so it tells the two apart from mistyped numbers only. The date does: it begins with a day from 01 to 31, while every
 * EDB that is known begins with 4 or 5.
 */
export function isPersonalNumber(digits: string): boolean {
  const [, day = '', month = '', year = ''] = FORM.exec(digits) ?? [];
  return isDay(Number(day), Number(month), Number(year)) && hasCheckDigit(digits);
}

function isDay(day: number, month: number, lastDigits: number): boolean {
  const year = lastDigits + (lastDigits >= FIRST_YEAR ? 1_000 : 2_000);
  const date = new Date(Date.UTC(year, month - 1, day));
  return day > 0 && month > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function hasCheckDigit(digits: string): boolean {
  const weighted = WEIGHTS.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
  const check = (MODULUS - (weighted % MODULUS)) % MODULUS;
  return check !== NOT_ISSUED && check === Number(digits.at(-1));
}
