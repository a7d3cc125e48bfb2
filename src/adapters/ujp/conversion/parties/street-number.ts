export type StreetAndNumber = { readonly street: string; readonly number: string | null };

/** A house number at the end: `12`, `14-а/2`, `5 b`, `бб` (без број, "without number"), with or without `бр.` before it. */
const NUMBER_AT_END =
  /^(?<street>.*?)[\s,]+(?<mark>(?:(?:бр|br|no|nr)\.?|№)\s*)?(?<number>\d[\p{L}\d/-]*(?:\s\p{L})?|бб|б\.\s?б\.?|bb|b\.\s?b\.?)$/iu;

const STREET_PREFIX = /^(?:ул|улица|бул|булевар|ul|ulica|bul)[.\s]/iu;
const WORD = /\p{L}{3}/u;

/** The authority's limit for house numbers. */
const MAX_NUMBER_LENGTH = 10;

/** Splits `ул. Македонија 12`. A street named by a number (`ул. 1732`) keeps it, unless a house number with `бр.` follows. */
export function splitStreet(text: string): StreetAndNumber {
  const { street = '', mark, number = '' } = NUMBER_AT_END.exec(text)?.groups ?? {};
  const isSplit = mark !== undefined || WORD.test(street.replace(STREET_PREFIX, ''));
  if (!isSplit || number === '' || number.length > MAX_NUMBER_LENGTH) return { street: text, number: null };
  return { street, number };
}
