import { isTenantField, isUnmistakableTenantField, UNMISTAKABLE_TENANT_FIELDS } from './tenant-field.ts';

const WORDS = /[\p{L}\p{N}_-]+/gu;
/** Of multipart headers and of HTML: `name="a`, `name="document[a`, `name="document.a`, `name*=UTF-8''a`. */
const NAME_BEFORE = /name\*?\s*=\s*["']?(?:[\w.[\]'-]*[.['])?$/iu;
const XML_PREFIX = /<[^\s<>/:=]*:$/u;
/** How far before a word its meaning is looked for. */
const CONTEXT_LENGTH = 40;
const CELL_BEFORE = /(?:^|[,;\t])["' ]*$/u;
const CELL_AFTER = /^["' ]{0,3}[,;\t\r\n]/u;
/** Control characters and bytes that are no UTF-8. */
const BINARY = /(?![\s])[\p{Cc}\ufffd]/u;
const SEPARATORS = /[-_]/gu;

/**
 * The first tenant-identifying name in a text of which nobody knows what is a name and what a value. `tenantId` and its like are
 * no words of any language, so they count wherever they stand; `tenant` counts where a name would stand.
 */
export function tenantNameInLooseText(text: string): string | null {
  const plain = withoutComments(text);
  for (const { 0: word, index } of plain.matchAll(WORDS)) {
    if (!isTenantField(word)) continue;
    if (isUnmistakableTenantField(word) || isInPlaceOfName(plain, index, index + word.length)) return word;
  }
  return BINARY.test(text) ? nameAmongBytes(text) : null;
}

/** In binary forms a name may stand beside bytes that look like letters, such as its length. */
function nameAmongBytes(text: string): string | null {
  const letters = text.replace(SEPARATORS, '').toLowerCase();
  return UNMISTAKABLE_TENANT_FIELDS.find((name) => letters.includes(name)) ?? null;
}

function isInPlaceOfName(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - CONTEXT_LENGTH), start);
  const isElement = before.endsWith('<') || XML_PREFIX.test(before);
  const isBracketed = before.endsWith('[') && text[end] === ']';
  return (
    isElement || isBracketed || NAME_BEFORE.test(before) || isFollowedBySign(text, end) || isHeading(text, start, end)
  );
}

/** Whether a colon or an equals sign follows, perhaps after what closes a quoted or bracketed name. */
function isFollowedBySign(text: string, from: number): boolean {
  let at = from;
  while (/[\s"'\\\])]/u.test(text[at] ?? '')) at += 1;
  return text[at] === ':' || text[at] === '=';
}

/** Whether the word is one of several cells in the first line of a table. */
function isHeading(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - CONTEXT_LENGTH), start);
  if (before.includes('\n') || !CELL_BEFORE.test(before)) return false;
  const after = text.slice(end, end + CONTEXT_LENGTH);
  const isFirst = /^["' ]*$/u.test(before);
  return isFirst ? /^["' ]{0,3}[,;\t]/u.test(after) : after.trim() === '' || CELL_AFTER.test(after);
}

/** JSON with comments has them also between a name and its colon. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  let position = 0;
  for (let start = text.indexOf('/*'); start !== -1; start = text.indexOf('/*', position)) {
    const end = text.indexOf('*/', start + 2);
    if (end === -1) break;
    parts.push(text.slice(position, start), ' ');
    position = end + 2;
  }
  return parts.join('') + text.slice(position);
}
