import type { ConversionWarning } from '../../../domain/documents/conversion-warning.ts';
import { type Message, message } from '../../../domain/messages/message.ts';
import { warning } from './conversion-failure.ts';

/** From the authority's field codebook. */
export const CODEBOOK_LENGTH = {
  name: 80,
  street: 60,
  houseNumber: 10,
  postalCode: 5,
  city: 60,
  taxNumber: 30,
  branchCode: 20,
  branchText: 100,
} as const;

/**
 * Chosen by us, with caution: the authority publishes no length for these, but rejects a document in which one is too long. Codes are
 * as long as the codes in its codebook and the longest document numbers in its examples.
 */
export const CHOSEN_LENGTH = {
  documentNumber: 20,
  referenceNumber: 50,
  itemCode: 20,
  tariffCode: 20,
  unit: 20,
  contact: 100,
  text: 250,
  notes: 1_000,
} as const;

/** What the text is, and where it stands. */
type Place = { readonly what: Message; readonly path: string };

/** For texts that say the same when they are cut. */
export function shortened(text: string, maxLength: number, place: Place, warnings: ConversionWarning[]): string {
  const { what, path } = place;
  const length = lengthOf(text);
  if (length <= maxLength) return text;
  warnings.push(warning('TEXT-SHORTENED', message('text-shortened', { what, length, limit: maxLength }), path));
  return [...text].slice(0, maxLength).join('').trimEnd();
}

/** The same for a text that may be missing. */
export function shortenedIfAny(
  text: string | null,
  maxLength: number,
  place: Place,
  warnings: ConversionWarning[],
): string | null {
  return text === null ? null : shortened(text, maxLength, place, warnings);
}

/** For texts that would say something else when they are cut, and that a document can do without. */
export function leftOutIfLonger(
  text: string | null,
  maxLength: number,
  { what, path }: Place,
  warnings: ConversionWarning[],
): string | null {
  const length = lengthOf(text);
  if (length <= maxLength) return text;
  warnings.push(warning('TEXT-LEFT-OUT', message('text-left-out', { what, length, limit: maxLength }), path));
  return null;
}

/** Several texts as one, for texts that would say something else when they are cut: as many of the first as there is room for. */
export function joinedWhole(
  texts: readonly string[],
  maxLength: number,
  place: Place,
  warnings: ConversionWarning[],
): string | null {
  const all = texts.join(', ') || null;
  const length = lengthOf(all);
  if (length <= maxLength) return all;
  let joined = '';
  for (const text of texts) {
    const next = joined === '' ? text : `${joined}, ${text}`;
    if (lengthOf(next) > maxLength) break;
    joined = next;
  }
  if (joined === '') return leftOutIfLonger(all, maxLength, place, warnings);
  const { what, path } = place;
  const limit = lengthOf(joined);
  warnings.push(warning('TEXT-SHORTENED', message('text-shortened', { what, length, limit }), path));
  return joined;
}

/** In characters as people count them, not in UTF-16 units. */
export function lengthOf(text: string | null): number {
  return text === null ? 0 : [...text].length;
}
