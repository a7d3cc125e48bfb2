/** A text that was read out of another, and for each of its characters the place in that other text that it came from. */
export type WrittenForm = {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
};

/**
 * Ways to write a character of ASCII: `%41` (however often its percent sign was encoded), `%u0041`, `\u0041`, `\u{41}`, `\x41`,
 * `&#65;`, `&#x41;`, and the two bytes of an overlong UTF-8 sequence. `&amp;` and `\\` hide another one.
 */
const ESCAPES =
  /%(?:25)*(?:u00)?([0-9a-f]{2})|\\u00([0-9a-f]{2})|\\u[{]0{0,4}([0-9a-f]{2})[}]|\\x([0-9a-f]{2})|&#x0{0,4}([0-9a-f]{2});?|&#0{0,4}(\d{2,3});?|([\u00c0\u00c1][\u0080-\u00bf])|(&amp;)|(\\\\)/giu;
const HEX_GROUPS = 5;
/** `=41` of mail and `0x41`, which may as well be a separator, and part of a key. */
const AMBIGUOUS_ESCAPES = /=([0-9a-f]{2})|0x([0-9a-f]{2})/giu;

export function asWritten(text: string): WrittenForm {
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    starts[index] = index;
    ends[index] = index + 1;
  }
  return { text, starts, ends };
}

/** The text with every escape decoded once; null when it has none. */
export function unescapedOnce(form: WrittenForm): WrittenForm | null {
  return decoded(form, ESCAPES);
}

/** The same for ways to write that are no escapes in most texts. */
export function unescapedFreely(form: WrittenForm): WrittenForm | null {
  return decoded(form, AMBIGUOUS_ESCAPES);
}

function decoded({ text, starts, ends }: WrittenForm, escapes: RegExp): WrittenForm | null {
  if (text.search(escapes) === -1) return null;
  const from = new Uint32Array(text.length);
  const to = new Uint32Array(text.length);
  const parts: string[] = [];
  let length = 0;
  let position = 0;
  const keep = (until: number) => {
    if (until === position) return;
    parts.push(text.slice(position, until));
    from.set(starts.subarray(position, until), length);
    to.set(ends.subarray(position, until), length);
    length += until - position;
  };
  for (const match of text.matchAll(escapes)) {
    const end = match.index + match[0].length;
    keep(match.index);
    parts.push(String.fromCharCode(codeOf(match)));
    from[length] = starts[match.index] ?? 0;
    to[length] = ends[end - 1] ?? 0;
    length += 1;
    position = end;
  }
  keep(text.length);
  return { text: parts.join(''), starts: from.subarray(0, length), ends: to.subarray(0, length) };
}

function codeOf(match: RegExpExecArray): number {
  const hex = match.slice(1, 1 + HEX_GROUPS).find((group) => group !== undefined);
  if (hex !== undefined) return Number.parseInt(hex, 16);
  const [decimal, overlong, ampersand] = match.slice(1 + HEX_GROUPS);
  if (decimal !== undefined) return Number(decimal);
  if (overlong !== undefined) return ((overlong.charCodeAt(0) & 1) << 6) | (overlong.charCodeAt(1) & 0x3f);
  return ampersand === undefined ? 0x5c : 0x26;
}
