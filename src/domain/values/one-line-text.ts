/**
 * What ends a line, drives a terminal or is refused by a database (NUL): white space of every kind, line and paragraph
 * separators included, and control characters.
 */
const BREAKS = /[\s\p{Cc}]+/gu;
/**
 * What has no shape of its own: marks that hide or turn round the text beside them (zero-width characters, bidirectional
 * overrides, joiners, which neither Macedonian nor Albanian needs) and private characters. The soft hyphen stays: word
 * processors leave it in real names.
 */
const SHAPELESS = /(?!\u00ad)[\p{Cf}\p{Co}]/gu;
/** What nobody sees in a value: blanks that are no space, tab or line break, and what has no shape of its own. */
const UNSEEN = /(?![\t\n\r ])[\s\p{Cc}\p{Cf}\p{Co}]/gu;
const VISIBLE_MARK = '\ufffd';
const ELLIPSIS = '…';
/** How much more than the wanted length is looked at, because a run of white space shrinks to one blank. */
const SPARE = 4;

/**
 * Somebody else's text as one line of at most `maxLength` UTF-16 units that can stand in a log, a list, a message or a
 * database; null where it is no text or nothing is left of it. The work is bounded by `maxLength`, not by the text.
 */
export function oneLineText(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  const line = start(cleaned(start(value, SPARE * maxLength)), maxLength).trimEnd();
  return line === '' ? null : line;
}

/** The same for a sentence: never null, and what was cut ends in an ellipsis. */
export function shortText(text: string, maxLength: number): string {
  const line = cleaned(start(text, SPARE * maxLength));
  if (line.length <= maxLength && text.length <= SPARE * maxLength) return line;
  return `${start(line, maxLength - ELLIPSIS.length).trimEnd()}${ELLIPSIS}`;
}

/** The beginning of a text that keeps its lines; what was cut ends in an ellipsis. */
export function beginningOf(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${start(text, maxLength - ELLIPSIS.length)}${ELLIPSIS}`;
}

/** As `shortText`, for a value that is wrong: what nobody sees is written as XML writes it, such as `&#xA0;`, for it may be the fault. */
export function visibleText(value: string, maxLength: number): string {
  const beginning = start(value, SPARE * maxLength + 1);
  return shortText(beginning.replace(UNSEEN, asReference), maxLength);
}

/** A value in a sentence, in quotation marks that do not count. */
export function quotedText(value: string, maxLength: number): string {
  return `“${shortText(value, maxLength)}”`;
}

/** As `shortText`, for a path: its end says more than its beginning. */
export function shortPath(path: string, maxLength: number): string {
  if (path.length <= maxLength) return cleaned(path);
  return `${ELLIPSIS}${cleaned(end(path, maxLength - ELLIPSIS.length))}`;
}

function cleaned(text: string): string {
  return text.toWellFormed().replace(BREAKS, ' ').trim().replace(SHAPELESS, VISIBLE_MARK);
}

function asReference(character: string): string {
  return `&#x${character.codePointAt(0)?.toString(16).toUpperCase()};`;
}

/** Never half of a surrogate pair. */
function start(text: string, length: number): string {
  return text.slice(0, isInsidePair(text, length) ? length - 1 : length);
}

function end(text: string, length: number): string {
  const from = text.length - length;
  return text.slice(isInsidePair(text, from) ? from + 1 : from);
}

function isInsidePair(text: string, index: number): boolean {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff;
}
