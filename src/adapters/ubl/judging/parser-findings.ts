import { openPathAt } from '../xml/element-position.ts';
import type { LibraryError } from '../xml/libxml2.ts';
import { offsetOf } from '../xml/text-position.ts';
import type { Finding } from './findings.ts';
import { nameText, quoted } from './findings.ts';

type FormatMessage = (found: readonly string[]) => string;

/** Errors of libxml2's parser and our messages for them. The first pattern that matches is used, so the order matters. */
const MESSAGES: ReadonlyArray<readonly [RegExp, FormatMessage]> = [
  [
    /^Opening and ending tag mismatch: (.*) line (\d+) and (.*)$/su,
    ([opened, line, closed]) =>
      `The end tag </${name(closed)}> does not match <${name(opened)}>, opened on line ${line}; expected </${name(opened)}>.`,
  ],
  [
    /^Premature end of data in tag (.*) line (\d+)$/su,
    ([open, line]) => `The document ends while <${name(open)}>, opened on line ${line}, is still open; is it cut off?`,
  ],
  [/^Document is empty/u, () => 'There is nothing here; expected an XML document.'],
  [/^Start tag expected/u, () => 'Expected the start tag of the root element here (“<” and a name).'],
  [
    /^Extra content at the end/u,
    () => 'There is more after the end of the root element; expected the end of the document.',
  ],
  [/^Namespace prefix (\S*) (?:on|for) (\S*) is not defined$/u, undeclaredPrefix],
  [
    /^Entity '(.*)' not defined$/su,
    ([entity]) => `The entity &${name(entity)}; is not defined; XML itself knows only amp, lt, gt, quot and apos.`,
  ],
  [
    /^(?:xmlParseEntityRef: no name|EntityRef: expecting ';')/u,
    () => 'A bare “&” is not allowed; write &amp; for an ampersand.',
  ],
  [/CharRef: invalid/u, () => 'A character reference names a character that XML does not allow.'],
  [/^Attribute (.*) redefined$/su, ([attribute]) => `The attribute ${name(attribute)} is given twice in one tag.`],
  [
    /^Namespaced Attribute (\S*) in '[^']*' redefined$/u,
    ([attribute]) => `The attribute ${name(attribute)} is given twice in one tag.`,
  ],
  [
    /^Specification mandates value for attribute (.*)$/su,
    ([attribute]) => `The attribute ${name(attribute)} has no value; expected ="…".`,
  ],
  [
    /^AttValue: ["'] (?:or ' )?expected/u,
    () => 'An attribute value must be closed with the quotation mark it was opened with.',
  ],
  [
    /^Unescaped '<' not allowed in attributes values/u,
    () => 'A “<” is not allowed in an attribute value; is a quotation mark missing before it?',
  ],
  [
    /^(?:attributes construct error|error parsing attribute name)/u,
    () => 'An attribute is malformed; expected name="value" with white space before it.',
  ],
  [
    /^Couldn't find end of Start Tag (.*?)(?: line \d+)?$/su,
    ([tag]) => `The start tag <${name(tag)}> is not finished; expected “>”.`,
  ],
  [
    /^(?:StartTag: invalid element name|xmlParseStartTag)/u,
    () => 'A “<” must begin a tag here; write &lt; for the character itself.',
  ],
  [/^expected '>'/u, () => 'An end tag is not finished; expected “>”.'],
  [/^Double hyphen within comment|^Comment must not contain/u, () => 'A comment must not contain “--”.'],
  [/^Comment not terminated/u, () => 'A comment is not finished; expected “-->”.'],
  [/^CData section not finished/u, () => 'A CDATA section is not finished; expected “]]>”.'],
  [/^Sequence '\]\]>' not allowed/u, () => 'The sequence “]]>” is not allowed in text; write ]]&gt;.'],
  [
    /^XML declaration allowed only at the start/u,
    () => 'An XML declaration may stand only at the very start of the document, with nothing before it.',
  ],
  [
    /(?:XML declaration|Malformed declaration|^Blank needed here|version|standalone|Invalid XML encoding name|String not)/iu,
    () => 'The XML declaration is malformed; expected <?xml version="1.0" encoding="UTF-8"?>.',
  ],
  [/^(?:xmlParsePI|PI )/u, () => 'A processing instruction is malformed.'],
  [
    /invalid (?:Char|xmlChar) value|Invalid character|Char 0x/iu,
    () => 'There is a character here that XML does not allow.',
  ],
  [/colon|QName|namespace/iu, () => 'A name or a namespace declaration breaks the rules of XML namespaces.'],
  [/memory/iu, () => 'The document needs more memory than there is.'],
  [/(?:too long|too deep|depth|limit|exceeded|huge)/iu, () => 'A name or a value is longer than the parser allows.'],
];

/** The parser's errors as findings. One mistake often causes several errors at one place or with one message: the first is kept. */
export function parserFindings(utf8: Buffer, errors: readonly LibraryError[]): Finding[] {
  if (errors.length === 0) return [{ place: null, text: 'The document is not well-formed XML.' }];
  return firstOfEach(
    firstOfEach(errors, ({ line, column }) => `${line}:${column}`).map((error) => finding(utf8, error)),
    ({ text }) => text,
  );
}

function firstOfEach<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return [...new Map(items.toReversed().map((item) => [key(item), item])).values()].reverse();
}

function finding(utf8: Buffer, { message, line, column }: LibraryError): Finding {
  const path = openPathAt(utf8, offsetOf(utf8, line, column));
  return { place: { line, column, path }, text: translate(message) };
}

function translate(message: string): string {
  for (const [pattern, format] of MESSAGES) {
    const match = pattern.exec(message);
    if (match !== null) return format(match.slice(1));
  }
  return 'The text is not well-formed XML here.';
}

function undeclaredPrefix([prefix]: readonly string[]): string {
  return `The namespace prefix ${quoted(prefix ?? '')} is not declared; expected xmlns:${name(prefix)}="…" on this element or around it.`;
}

function name(text: string | undefined): string {
  return nameText(text ?? '');
}
