export type StreetAndNumber = { readonly street: string; readonly number: string | null };

/** A house number: `12`, `14-а/2`, `5 b`, `бб` (без број, "without number"), with or without `бр.` before it. */
const NUMBER =
  /^(?<mark>(?:(?:бр|br|no|nr)\.?|№)\s*)?(?<number>\d[\p{L}\d/-]*(?:\s\p{L})?|бб|б\.\s?б\.?|bb|b\.\s?b\.?)$/iu;
const SEPARATORS = /[\s,]+/gu;

const STREET_PREFIX = /^(?:ул|улица|бул|булевар|ul|ulica|bul)[.\s]/iu;
const WORD = /\p{L}{3}/u;

/** The authority's limit for house numbers. */
const MAX_NUMBER_LENGTH = 10;
/** Room for a number, its mark and the blanks between. No more than so much of the end of a text is looked at. */
const MAX_END_LENGTH = 40;

/** Splits `ул. Македонија 12`. A street named by a number (`ул. 1732`) keeps it, unless a house number with `бр.` follows. */
export function splitStreet(text: string): StreetAndNumber {
  const beginning = text.slice(0, -MAX_END_LENGTH);
  const { rest, mark, number } = splitEnd(text.slice(-MAX_END_LENGTH));
  const street = `${beginning}${rest}`;
  // Separators that reach further back than the end of the text belong to no address.
  const isFound = number !== '' && number.length <= MAX_NUMBER_LENGTH && (rest !== '' || beginning === '');
  const isSplit = mark !== undefined || WORD.test(street.replace(STREET_PREFIX, ''));
  return isFound && isSplit ? { street, number } : { street: text, number: null };
}

/** Behind the first separators that a house number follows up to the end. */
function splitEnd(end: string): { readonly rest: string; readonly mark: string | undefined; readonly number: string } {
  for (const { 0: separators, index } of end.matchAll(SEPARATORS)) {
    const { mark, number } = NUMBER.exec(end.slice(index + separators.length))?.groups ?? {};
    if (number !== undefined) return { rest: end.slice(0, index), mark, number };
  }
  return { rest: end, mark: undefined, number: '' };
}
