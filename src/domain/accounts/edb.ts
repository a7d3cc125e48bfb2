declare const edbBrand: unique symbol;

/** The tax number of a taxpayer of North Macedonia: thirteen digits, without prefix. */
export type Edb = string & { readonly [edbBrand]: true };

const EDB = /^(?:MK|МК)?(\d{13})$/iu;

/**
 * Reads an EDB as people write it: with the prefix MK in either script, with blanks or without.
 * The check digit is not judged: the authority's own test companies break it.
 */
export function parseEdb(text: string): Edb | null {
  const digits = EDB.exec(text.replace(/\s+/gu, ''))?.[1];
  return digits === undefined ? null : (digits as Edb);
}
