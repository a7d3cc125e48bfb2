import { shortText } from '../values/one-line-text.ts';
import { hiddenKeys, type Place } from './hidden-keys.ts';

/** No path of ours and no name of a software is longer; a caller may send 16 KiB of either. */
const MAX_LENGTH = 200;
/**
 * How much of a text is looked at: keys in it are looked for in all of that, and the first half of it may be kept. A key that goes on
 * behind the second half is so stretched that what is kept shows a few characters of it at most.
 */
const LOOKED_AT = 4_096;

/** A percent sign, however often it was encoded itself. */
const PERCENT = '%(?:25)*';
const ALPHANUMERIC = `(?:[0-9A-Za-z]|${PERCENT}(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]))`;

const ISSUED_KEYS = new RegExp(`(${encodable('dostava_')})${ALPHANUMERIC}{16,}`, 'giu');
const DEMO_KEYS = new RegExp(`(?<![0-9A-Za-z])(${encodable('demo-')})${ALPHANUMERIC}+`, 'giu');
const MASK = '***';
const CUT = ' …';

/** The text without API keys, however they are written in it: a key in the wrong place must not be kept. */
export function maskKeys(text: string): string {
  return masked(text, text.length);
}

function masked(text: string, length: number): string {
  const places = hiddenKeys(text).toSorted((a, b) => a.start - b.start);
  const parts: string[] = [];
  let position = 0;
  for (const { start, end } of joined(places)) {
    if (start >= length) break;
    parts.push(text.slice(position, start), MASK);
    position = end;
  }
  return parts.join('') + text.slice(position, length);
}

/**
 * The same for a line of the log, where only keys in one piece are looked for: callers' texts in it went through `callerText`
 * before, and what is masked must not reach from one value into the next.
 */
export function maskKeysInLine(line: string): string {
  return line.replace(ISSUED_KEYS, `$1${MASK}`);
}

/** What a caller sent, as one line that may be kept and logged: without keys and of bounded length. */
export function callerText(text: string): string {
  const isLong = text.length > LOOKED_AT;
  const kept = isLong ? `${masked(text.slice(0, LOOKED_AT), LOOKED_AT / 2)}${CUT}` : maskKeys(text);
  return shortText(kept.replace(DEMO_KEYS, `$1${MASK}`), MAX_LENGTH);
}

/** Places in the order of their beginnings, those that overlap or touch as one. */
function joined(places: readonly Place[]): readonly Place[] {
  const result: Place[] = [];
  for (const place of places) {
    const last = result.at(-1);
    if (last === undefined || place.start > last.end) result.push(place);
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, place.end) };
  }
  return result;
}

/** A pattern of the text in which every character may be percent-encoded. */
function encodable(text: string): string {
  const characters = [...text].map((character) => {
    const codes = [character.toLowerCase(), character.toUpperCase()].map((form) => form.charCodeAt(0).toString(16));
    return `(?:${character}|${PERCENT}(?:${codes.join('|')}))`;
  });
  return characters.join('');
}
