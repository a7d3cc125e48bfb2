declare const edbBrand: unique symbol;

/** The tax number of a taxpayer of North Macedonia: thirteen digits, without prefix. */
export type Edb = string & { readonly [edbBrand]: true };

const EDB = /^(?:[M\u041c][K\u041a])?(\d{13})$/iu;

/**
 * Reads an EDB as people write it: with or without spaces and the prefix MK, each letter of it Latin or Cyrillic: nobody sees the difference.
 * The check digit is not verified: the authority's own test companies have wrong ones.
 */
export function parseEdb(text: string): Edb | null {
  const digits = EDB.exec(text.replace(/\s+/gu, ''))?.[1];
  return digits === undefined ? null : (digits as Edb);
}
