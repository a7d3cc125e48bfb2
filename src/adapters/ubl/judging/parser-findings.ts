import { type Message, message } from '../../../domain/messages/message.ts';
import { inEnglish } from '../../../domain/messages/render.ts';
import { openPathAt } from '../xml/element-position.ts';
import type { LibraryError } from '../xml/libxml2.ts';
import { offsetOf } from '../xml/text-position.ts';
import type { Finding } from './findings.ts';
import { nameText, quoted } from './findings.ts';

type FormatMessage = (found: readonly string[]) => Message;

/** Errors of libxml2's parser and our messages for them. The first pattern that matches is used, so the order matters. */
const MESSAGES: ReadonlyArray<readonly [RegExp, FormatMessage]> = [
  [
    /^Opening and ending tag mismatch: (.*) line (\d+) and (.*)$/su,
    ([opened, line, closed]) =>
      message('end-tag-mismatch', {
        closed: `</${name(closed)}>`,
        opened: `<${name(opened)}>`,
        line: line ?? '',
        expected: `</${name(opened)}>`,
      }),
  ],
  [
    /^Premature end of data in tag (.*) line (\d+)$/su,
    ([open, line]) => message('document-cut-off', { opened: `<${name(open)}>`, line: line ?? '' }),
  ],
  [/^Document is empty/u, () => message('nothing-here')],
  [/^Start tag expected/u, () => message('start-tag-expected', { character: '<' })],
  [/^Extra content at the end/u, () => message('more-after-root')],
  [/^Namespace prefix (\S*) (?:on|for) (\S*) is not defined$/u, undeclaredPrefix],
  [
    /^Entity '(.*)' not defined$/su,
    ([entity]) =>
      message('entity-undefined', { entity: `&${name(entity)};`, known: 'amp, lt, gt, quot', last: 'apos' }),
  ],
  [
    /^(?:xmlParseEntityRef: no name|EntityRef: expecting ';')/u,
    () => message('bare-ampersand', { character: '&', escape: '&amp;' }),
  ],
  [/CharRef: invalid/u, () => message('character-reference-invalid')],
  [/^Attribute (.*) redefined$/su, ([attribute]) => message('attribute-twice', { attribute: name(attribute) })],
  [
    /^Namespaced Attribute (\S*) in '[^']*' redefined$/u,
    ([attribute]) => message('attribute-twice', { attribute: name(attribute) }),
  ],
  [
    /^Specification mandates value for attribute (.*)$/su,
    ([attribute]) => message('attribute-without-value', { attribute: name(attribute), expected: '="…"' }),
  ],
  [/^AttValue: ["'] (?:or ' )?expected/u, () => message('attribute-not-closed')],
  [/^Unescaped '<' not allowed in attributes values/u, () => message('tag-in-attribute', { character: '<' })],
  [
    /^(?:attributes construct error|error parsing attribute name)/u,
    () => message('attribute-malformed', { expected: 'name="value"' }),
  ],
  [
    /^Couldn't find end of Start Tag (.*?)(?: line \d+)?$/su,
    ([tag]) => message('start-tag-not-finished', { tag: `<${name(tag)}>`, character: '>' }),
  ],
  [
    /^(?:StartTag: invalid element name|xmlParseStartTag)/u,
    () => message('tag-must-begin', { character: '<', escape: '&lt;' }),
  ],
  [/^expected '>'/u, () => message('end-tag-not-finished', { character: '>' })],
  [
    /^Double hyphen within comment|^Comment must not contain/u,
    () => message('comment-with-hyphens', { characters: '--' }),
  ],
  [/^Comment not terminated/u, () => message('comment-not-finished', { characters: '-->' })],
  [/^CData section not finished/u, () => message('cdata-not-finished', { characters: ']]>' })],
  [/^Sequence '\]\]>' not allowed/u, () => message('sequence-not-allowed', { characters: ']]>', escape: ']]&gt;' })],
  [/^XML declaration allowed only at the start/u, () => message('declaration-not-first')],
  [
    /(?:XML declaration|Malformed declaration|^Blank needed here|version|standalone|Invalid XML encoding name|String not)/iu,
    () => message('declaration-malformed', { expected: '<?xml version="1.0" encoding="UTF-8"?>' }),
  ],
  [/^(?:xmlParsePI|PI )/u, () => message('instruction-malformed')],
  [/invalid (?:Char|xmlChar) value|Invalid character|Char 0x/iu, () => message('character-not-allowed')],
  [/colon|QName|namespace/iu, () => message('namespace-rules-broken')],
  [/memory/iu, () => message('memory-exceeded')],
  [/(?:too long|too deep|depth|limit|exceeded|huge)/iu, () => message('value-too-long-to-parse')],
];

/** The parser's errors as findings. One mistake often causes several errors at one place or with one message: the first is kept. */
export function parserFindings(utf8: Buffer, errors: readonly LibraryError[]): Finding[] {
  if (errors.length === 0) return [{ place: null, said: message('text-not-well-formed') }];
  return firstOfEach(
    firstOfEach(errors, ({ line, column }) => `${line}:${column}`).map((error) => finding(utf8, error)),
    ({ said }) => inEnglish(said),
  );
}

function firstOfEach<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return [...new Map(items.toReversed().map((item) => [key(item), item])).values()].reverse();
}

function finding(utf8: Buffer, { message: error, line, column }: LibraryError): Finding {
  const path = openPathAt(utf8, offsetOf(utf8, line, column));
  return { place: { line, column, path }, said: translate(error) };
}

function translate(error: string): Message {
  for (const [pattern, format] of MESSAGES) {
    const match = pattern.exec(error);
    if (match !== null) return format(match.slice(1));
  }
  return message('place-not-well-formed');
}

function undeclaredPrefix([prefix]: readonly string[]): Message {
  const expected = `xmlns:${name(prefix)}="…"`;
  return message('prefix-undeclared', { prefix: quoted(prefix ?? ''), expected });
}

function name(text: string | undefined): string {
  return nameText(text ?? '');
}
