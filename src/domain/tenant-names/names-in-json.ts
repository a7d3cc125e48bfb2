/** Names and values of a text that claims to be JSON. */
export type JsonStrings = {
  readonly name: (name: string) => boolean;
  readonly value: (value: string) => boolean;
};

const JSON_WORDS = /[\p{L}_$'/][\p{L}\p{N}_$'/-]*/gu;
/** Also the beginning of the next JSON text, where several stand in a row. */
const MAY_FOLLOW_STRING = ':,]}"[{';
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/gsu;
const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
const JSON_LITERAL = /^(?:true|false|null|e\d*)$/iu;

/**
 * Shows every string of a JSON text to `name` or `value` until one says that it is enough; null when the text is no JSON, so that names
 * cannot be told from values. Reads the strings alone: parsing would turn ten megabytes of brackets into half a gigabyte of objects.
 */
export function isInJson(json: string, { name, value }: JsonStrings): boolean | null {
  let position = 0;
  for (let start = json.indexOf('"'); start !== -1; start = json.indexOf('"', position)) {
    const end = endOfString(json, start + 1);
    if (end === -1 || !isPlainJson(json.slice(position, start))) return null;
    position = pastSpace(json, end + 1);
    const following = json[position] ?? '';
    if (!MAY_FOLLOW_STRING.includes(following) && position < json.length) return null;
    const text = jsonString(json.slice(start, end + 1));
    if (text !== null && (following === ':' ? name : value)(text)) return true;
  }
  return isPlainJson(json.slice(position)) ? false : null;
}

function pastSpace(text: string, from: number): number {
  let at = from;
  while (/\s/u.test(text[at] ?? '')) at += 1;
  return at;
}

/** Whether there are no words between the strings of a JSON text but those of JSON itself; a comment is one. */
function isPlainJson(between: string): boolean {
  return (between.match(JSON_WORDS) ?? []).every((word) => JSON_LITERAL.test(word));
}

function endOfString(json: string, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at < json.length ? at : -1;
}

/**
 * Null where an escape is none of JSON's. Not left to JSON.parse: a body may have ten thousand such strings, and each would be an
 * error with its stack.
 */
function jsonString(quoted: string): string | null {
  let isValid = true;
  const text = quoted.slice(1, -1).replace(ESCAPE, (_, code: string | undefined, letter: string) => {
    const character = code === undefined ? ESCAPED.get(letter) : String.fromCharCode(Number.parseInt(code, 16));
    isValid &&= character !== undefined;
    return character ?? '';
  });
  return isValid ? text : null;
}
