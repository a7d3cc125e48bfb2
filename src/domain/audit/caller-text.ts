import { shortText } from '../values/one-line-text.ts';

/** No path of ours and no name of a software is longer; a caller may send 16 KiB of either. */
const MAX_LENGTH = 200;

/** A percent sign, however often it was encoded itself. */
const PERCENT = '%(?:25)*';
const ALPHANUMERIC = `(?:[0-9A-Za-z]|${PERCENT}(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]))`;

/**
 * The prefix of a key and at least half of its random characters: what is cut off or mistyped, so that its checksum is wrong, is
 * withheld too. Names of software are shorter.
 */
const ISSUED_KEYS = new RegExp(`(${encodable('dostava_')})${ALPHANUMERIC}{16,}`, 'giu');
const DEMO_KEYS = new RegExp(`(?<![0-9A-Za-z])(${encodable('demo-')})${ALPHANUMERIC}+`, 'giu');
const MASKED = '$1***';

/** The text without API keys, whether as issued or percent-encoded: a key in the wrong place must not be kept or logged. */
export function maskKeys(text: string): string {
  return text.replace(ISSUED_KEYS, MASKED);
}

/** What a caller sent, as one line that may be kept and logged: without keys and of bounded length. */
export function callerText(text: string): string {
  return shortText(maskKeys(text).replace(DEMO_KEYS, MASKED), MAX_LENGTH);
}

/** A pattern of the text in which every character may be percent-encoded. */
function encodable(text: string): string {
  const characters = [...text].map((character) => {
    const codes = [character.toLowerCase(), character.toUpperCase()].map((form) => form.charCodeAt(0).toString(16));
    return `(?:${character}|${PERCENT}(?:${codes.join('|')}))`;
  });
  return characters.join('');
}
