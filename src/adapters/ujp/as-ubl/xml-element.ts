/** An element with a text or with other elements in it. */
export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | readonly XmlElement[];
};

/** Nothing where a document says nothing. */
export type XmlContent = readonly XmlElement[];

const NOTHING: XmlContent = [];

/** An element with a text; nothing for null. */
export function text(
  name: string,
  value: string | null,
  attributes: Readonly<Record<string, string>> = {},
): XmlContent {
  return value === null ? NOTHING : [{ name, attributes, content: value }];
}

/** An element with others in it; nothing where all of them are missing. */
export function group(name: string, ...content: readonly XmlContent[]): XmlContent {
  const all = content.flat();
  return all.length === 0 ? NOTHING : [{ name, attributes: {}, content: all }];
}

/** What XML 1.0 has no way to write: most control characters, halves of pairs, and two that are no characters. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
/** Most texts: nothing in them has to be looked at again. */
const PLAIN = /^[^&<>"\p{Cc}\p{Cs}\u{fffe}\u{ffff}]*$/u;
const REPLACEMENT = '\u{fffd}';
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

const IN_ATTRIBUTES = /[&<>"\r\n\t]/gu;
const IN_TEXTS = /[&<>\r]/gu;

export type WrittenXml = { readonly text: string; readonly replacedCharacters: number };

/** Writes a document. The comment stands before its end, once the number of replaced characters is known. */
export function writeXml(root: XmlElement, comment: (replacedCharacters: number) => string | null): WrittenXml {
  let replacedCharacters = 0;
  const parts: string[] = ['<?xml version="1.0" encoding="UTF-8"?>\n'];

  function writable(value: string, special: RegExp): string {
    if (PLAIN.test(value)) return value;
    return replaced(value).replace(special, escaped);
  }

  function replaced(value: string): string {
    return value.replace(UNWRITABLE, () => {
      replacedCharacters += 1;
      return REPLACEMENT;
    });
  }

  function write({ name, attributes, content }: XmlElement, indent: string, last?: () => void): void {
    parts.push(indent, '<', name);
    for (const [key, value] of Object.entries(attributes)) {
      parts.push(' ', key, '="', writable(value, IN_ATTRIBUTES), '"');
    }
    parts.push('>');
    if (typeof content === 'string') parts.push(writable(content, IN_TEXTS));
    else {
      parts.push('\n');
      for (const inner of content) write(inner, `${indent}  `);
      last?.();
      parts.push(indent);
    }
    parts.push('</', name, '>\n');
  }

  write(root, '', () => {
    const said = comment(replacedCharacters);
    // Two hyphens would end the comment.
    if (said !== null) parts.push('  <!-- ', replaced(said).replaceAll('-', '\u{2010}'), ' -->\n');
  });
  return { text: parts.join(''), replacedCharacters };
}

function escaped(sign: string): string {
  return ESCAPES[sign] ?? sign;
}
