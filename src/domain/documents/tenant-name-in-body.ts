import { isTenantField } from './tenant-field.ts';

/** Ends a look at names that cannot be told from values, because the JSON is broken. */
const BROKEN = Symbol('broken JSON');

const SEPARATORS = /[-_]/gu;
const PREFIXES = /tenant|taxpayer/iu;
const WORDS = /[\p{L}\p{N}_-]+/gu;
/** `%74` of a form and `\u0074` of JSON, where they stand for a letter, digit or sign of ASCII. */
const ESCAPES = /%([0-9a-f]{2})|\\u00([0-9a-f]{2})/giu;
/** Element and attribute names: `<ns:name`, `name=`. `xmlns:tenant` declares a prefix; it is not a field. */
const XML_NAMES = /<(?:[\w.-]+:)?([\w.-]+)|\s(?:(?!xmlns:)[\w.-]+:)?([\w.-]+)\s*=/gu;
/** A form has no white space and no quotation marks: they are encoded. */
const FORM = /^[^\s"'<>{}=]*=[^\s"<>{}]*$/u;
const FORM_NAMES = /(?:^|[&;])([^&;=]{1,200})=/gu;
const JSON_WORDS = /[\p{L}_$'][\p{L}\p{N}_$'-]*/gu;
/** Also the beginning of the next JSON text, where several stand in a row. */
const MAY_FOLLOW_STRING = ':,]}"[{';
const JSON_LITERAL = /^(?:true|false|null|e\d*)$/iu;
const MULTIPART_NAME = /name\*?\s*=\s*["']?$/iu;
const XML_PREFIX = /<[\w.-]*:$/u;
/** Longer than any name with its escapes; a longer one is not decoded. */
const MAX_NAME_LENGTH = 200;
/** How far before a word its meaning is looked for. */
const CONTEXT_LENGTH = 40;

/**
 * The first tenant-identifying name in a body of whatever form: JSON (also several texts in a row, or broken), XML, a form, multipart
 * or plain text, in UTF-8 or UTF-16. In whole JSON, XML and forms only names count; elsewhere every word that stands where a name
 * would. Each character is looked at a few times at most, however hostile the body.
 */
export function tenantNameIn(body: Uint8Array): string | null {
  const text = textOf(body).trim();
  if (!PREFIXES.test(unescaped(text).replace(SEPARATORS, ''))) return null;
  if (text.startsWith('<')) return firstOf(xmlNames(text));
  if (/^[[{]/u.test(text)) {
    const found = jsonName(text);
    if (found !== BROKEN) return found;
  }
  if (FORM.test(text)) return firstOf(formNames(text));
  return wordInPlaceOfName(unescaped(text), text.startsWith('--'));
}

/** NUL characters are what is left of wider encodings; no name has one. */
function textOf(body: Uint8Array): string {
  const [first, second] = body;
  const isLittleEndian = (first === 0xff && second === 0xfe) || second === 0;
  const isBigEndian = (first === 0xfe && second === 0xff) || first === 0;
  const encoding = isLittleEndian ? 'utf-16le' : isBigEndian ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(body).replaceAll('\0', '');
}

function unescaped(text: string): string {
  return text.replace(ESCAPES, (_, percent, unicode) => String.fromCharCode(Number.parseInt(percent ?? unicode, 16)));
}

function firstOf(names: readonly string[]): string | null {
  return names.find(isTenantField) ?? null;
}

function xmlNames(text: string): readonly string[] {
  return Array.from(text.matchAll(XML_NAMES), ([, element, attribute]) => element ?? attribute ?? '');
}

/** Names with their parts: `document[tenantId]` and `document.tenantId`. */
function formNames(text: string): readonly string[] {
  return Array.from(text.matchAll(FORM_NAMES), ([, name = '']) => unescaped(name).split(/[[\].]/u)).flat();
}

/** Reads the names alone: parsing would turn ten megabytes of brackets into half a gigabyte of objects. */
function jsonName(json: string): string | null | typeof BROKEN {
  let position = 0;
  for (let start = json.indexOf('"'); start !== -1; start = json.indexOf('"', position)) {
    const end = endOfString(json, start + 1);
    if (end === -1 || !isPlainJson(json.slice(position, start))) return BROKEN;
    position = pastSpace(json, end + 1);
    const following = json[position] ?? '';
    if (!MAY_FOLLOW_STRING.includes(following)) return BROKEN;
    const name = following === ':' ? jsonString(json, start, end + 1) : null;
    if (name !== null && isTenantField(name)) return name;
  }
  return isPlainJson(json.slice(position)) ? null : BROKEN;
}

function pastSpace(text: string, from: number): number {
  let at = from;
  while (/\s/u.test(text[at] ?? '')) at += 1;
  return at;
}

/** Whether there are no words between the strings of a JSON text but those of JSON itself. */
function isPlainJson(between: string): boolean {
  return (between.match(JSON_WORDS) ?? []).every((word) => JSON_LITERAL.test(word));
}

function endOfString(json: string, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at < json.length ? at : -1;
}

function jsonString(json: string, start: number, end: number): string | null {
  if (end - start > MAX_NAME_LENGTH) return null;
  try {
    return String(JSON.parse(json.slice(start, end)));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function wordInPlaceOfName(text: string, isMultipart: boolean): string | null {
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (!isTenantField(word)) continue;
    const before = text.slice(Math.max(0, index - CONTEXT_LENGTH), index);
    const isElement = before.endsWith('<') || XML_PREFIX.test(before);
    const isPart = isMultipart && MULTIPART_NAME.test(before);
    if (isElement || isPart || isFollowedBySign(text, index + word.length)) return word;
  }
  return null;
}

/** Whether a colon or an equals sign follows, perhaps after what closes a quoted or bracketed name. */
function isFollowedBySign(text: string, from: number): boolean {
  let at = from;
  while (/[\s"'\\\])]/u.test(text[at] ?? '')) at += 1;
  return text[at] === ':' || text[at] === '=';
}
