import { tenantNameInLooseText } from './name-in-loose-text.ts';
import { isInJson } from './names-in-json.ts';
import { isTenantField } from './tenant-field.ts';

const SEPARATORS = /[-_]/gu;
const PREFIXES = /tenant|taxpayer/iu;
/** `%74` of a form and `\u0074` of JSON, where they stand for a letter, digit or sign of ASCII. */
const ESCAPES = /%([0-9a-f]{2})|\\u00([0-9a-f]{2})/giu;
/** Element and attribute names: `<ns:name`, `name=`. `xmlns:tenant` declares a prefix; it is not a field. */
const XML_NAMES = /<(?:[^\s<>/:="']*:)?([^\s<>/:="']+)|\s(?:(?!xmlns:)[^\s<>/:="']+:)?([^\s<>/:="']+)\s*=/gu;
/** What a field is called in HTML and its like. */
const XML_NAMING = /\s(?:name|id|key|field)\s*=\s*["']([^"'<>]*)["']/giu;
/** A form has no white space and no quotation marks: they are encoded. */
const FORM = /^[^\s"'<>{}=]*=[^\s"<>{}]*$/u;
const FORM_FIELDS = /[^&;]+/gu;
const NAME_PARTS = /[^[\].\s]+/gu;
/** A value that is a document of its own. */
const WHOLE_TEXT = /^\s*(?:[{<]|\[\s*[[{"])/u;
const BASE64 = /^[\w+/\r\n=-]+$/u;
const MAX_BASE64_LENGTH = 1_000_000;
/** How often a value is looked into that is a text of its own; each time takes as long as the first. */
const MAX_DEPTH = 4;

/**
 * The first tenant-identifying name in a body of whatever form: JSON (also several texts in a row, or broken), XML, a form, multipart,
 * tables or plain text, in UTF-8 or UTF-16, and base64 of these. In whole JSON, XML and forms only names count; elsewhere
 * whatever may be one. Compressed bodies are not opened. Each character is looked at a few times at most, however hostile the body.
 */
export function tenantNameIn(body: Uint8Array): string | null {
  for (const text of readings(body)) {
    const found = nameIn(text, 0) ?? (isBase64(text) ? nameInBase64(text) : null);
    if (found !== null) return found;
  }
  return null;
}

function nameIn(text: string, depth: number): string | null {
  if (depth > MAX_DEPTH || !PREFIXES.test(unescaped(text).replace(SEPARATORS, ''))) return null;
  if (text.startsWith('<') && text.endsWith('>')) return firstOf(xmlNames(text));
  if (/^[[{]/u.test(text)) {
    const found = nameInJson(text, depth);
    if (found !== undefined) return found;
  }
  if (FORM.test(text)) return nameInForm(text, depth);
  return tenantNameInLooseText(unescaped(text));
}

/**
 * The body as text. Without a mark, a zero byte in the first place or the second means UTF-16, or a binary form, which is read as UTF-8.
 * NUL characters are what is left of wider encodings; no name has one.
 */
function readings(body: Uint8Array): readonly string[] {
  const [first, second] = body;
  const isMarkedLittle = first === 0xff && second === 0xfe;
  const isMarkedBig = first === 0xfe && second === 0xff;
  const encodings = [
    ...(isMarkedLittle || second === 0 ? ['utf-16le'] : []),
    ...(isMarkedBig || first === 0 ? ['utf-16be'] : []),
    ...(isMarkedLittle || isMarkedBig ? [] : ['utf-8']),
  ];
  return encodings.map((encoding) => new TextDecoder(encoding).decode(body).replaceAll('\0', '').trim());
}

function unescaped(text: string): string {
  return text.replace(ESCAPES, (_, percent, unicode) => String.fromCharCode(Number.parseInt(percent ?? unicode, 16)));
}

function firstOf(names: Iterable<string>): string | null {
  for (const name of names) if (isTenantField(name)) return name;
  return null;
}

function* xmlNames(text: string): Iterable<string> {
  for (const [, element, attribute] of text.matchAll(XML_NAMES)) yield element ?? attribute ?? '';
  for (const [, name = ''] of text.matchAll(XML_NAMING)) yield* nameParts(name);
}

/** Undefined when the text is no JSON. */
function nameInJson(text: string, depth: number): string | null | undefined {
  let found: string | null = null;
  const isFound = isInJson(text, {
    name(name) {
      found = isTenantField(name) ? name : null;
      return found !== null;
    },
    value(value) {
      found = WHOLE_TEXT.test(value) ? nameIn(value.trim(), depth + 1) : null;
      return found !== null;
    },
  });
  return isFound === null ? undefined : found;
}

function nameInForm(text: string, depth: number): string | null {
  for (const [field] of text.matchAll(FORM_FIELDS)) {
    const sign = field.indexOf('=');
    const name = sign === -1 ? field : field.slice(0, sign);
    const value = sign === -1 ? '' : unescaped(field.slice(sign + 1).replaceAll('+', ' '));
    const found =
      firstOf(nameParts(unescaped(name.replaceAll('+', ' ')))) ??
      (WHOLE_TEXT.test(value) ? nameIn(value.trim(), depth + 1) : null);
    if (found !== null) return found;
  }
  return null;
}

/** Names with their parts: `document[tenantId]` and `document.tenantId`. */
function nameParts(name: string): Iterable<string> {
  return Array.from(name.matchAll(NAME_PARTS), ([part]) => part);
}

/** Longer ones are not decoded: a document in base64 is refused as one that is not XML. */
function isBase64(text: string): boolean {
  return text.length <= MAX_BASE64_LENGTH && BASE64.test(text);
}

function nameInBase64(text: string): string | null {
  const letters = text
    .replaceAll(/[\r\n=]/gu, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  // A single letter more than whole groups of four encodes nothing.
  const bytes = atob(letters.length % 4 === 1 ? letters.slice(0, -1) : letters);
  const [decoded = ''] = readings(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  return nameIn(decoded, 1);
}
