import { hasFourDigitYear } from '../values/instant.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

export function isEuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** The authority writes one in small or in large letters. */
export function isSameEuid(one: string | null | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

/** When the document was received, in milliseconds since 1970, which an EUID of version 7 begins with; else null. */
export function euidTime(euid: string): number | null {
  if (UUID.exec(euid)?.[1] !== '7') return null;
  const time = Number.parseInt(euid.slice(0, 8) + euid.slice(9, 13), 16);
  return hasFourDigitYear(time) ? time : null;
}
