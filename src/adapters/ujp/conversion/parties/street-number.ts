export type StreetAndNumber = { readonly street: string; readonly number: string | null };

/** A house number at the end: `12`, `14-а/2`, `5 b`, `бб` (без број, without number), with or without `бр.` before it. */
const AT_END =
  /^(?<street>.*?)[\s,]+(?<mark>(?:(?:бр|br|no|nr)\.?|№)\s*)?(?<number>\d[\p{L}\d/-]*(?:\s\p{L})?|бб|б\.\s?б\.?|bb|b\.\s?b\.?)$/iu;

const KIND_OF_STREET = /^(?:ул|улица|бул|булевар|ul|ulica|bul)[.\s]/iu;
const WORD = /\p{L}{3}/u;

/** The longest house number that the authority takes. */
const LONGEST_NUMBER = 10;

/** Splits `ул. Македонија 12`. A street that is itself a number (`ул. 1732`) keeps it, unless a marked one follows. */
export function splitStreet(text: string): StreetAndNumber {
  const { street = '', mark, number = '' } = AT_END.exec(text)?.groups ?? {};
  const isSplit = mark !== undefined || WORD.test(street.replace(KIND_OF_STREET, ''));
  if (!isSplit || number === '' || number.length > LONGEST_NUMBER) return { street: text, number: null };
  return { street, number };
}
