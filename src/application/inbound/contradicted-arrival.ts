import type { Arrival, ArrivalFacts } from '../ports/authority.ts';
import type { WantedArrival } from './store-arrival.ts';

/** The authority rounds amounts to whole denars in some places and not in others. */
const SAME_AMOUNT = 1;

/**
 * What a payload says of itself other than the authority's list says of its EUID; null where they agree, as far as both say
 * anything. A difference means that the authority gave another document.
 */
export function contradictionOf({ facts }: Arrival, listed: ArrivalFacts | undefined): string | null {
  if (listed === undefined) return null;
  const different = [
    difference('number', facts.documentNumber, listed.documentNumber, (one, other) => one === other),
    difference('sender', facts.senderEdb, listed.senderEdb, (one, other) => one === other),
    difference('amount', facts.amount, listed.amount, isSameAmount),
  ].filter((one) => one !== null);
  return different.length === 0
    ? null
    : `The payload is of another document than the list names: ${different.join(', ')}`;
}

/** The facts of such an arrival are the list's: they are about the EUID under which it is stored. */
export function asListed(arrival: Arrival, wanted: WantedArrival, contradiction: string): Arrival {
  return { ...arrival, facts: wanted.facts ?? arrival.facts, unreadable: arrival.unreadable ?? contradiction };
}

function difference(
  what: string,
  own: string | null,
  listed: string | null,
  isSame: (own: string, listed: string) => boolean,
): string | null {
  if (own === null || listed === null || isSame(own, listed)) return null;
  return `${what} ${own} instead of ${listed}`;
}

function isSameAmount(own: string, listed: string): boolean {
  const apart = Math.abs(Math.abs(Number(own)) - Math.abs(Number(listed)));
  return Number.isNaN(apart) || apart < SAME_AMOUNT;
}
