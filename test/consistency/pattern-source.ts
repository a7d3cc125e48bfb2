import { sourceFiles } from './source-files.ts';

/** A regular expression of the product, as it stands in the source. */
export type Pattern = { readonly path: string; readonly source: string; readonly flags: string };

/** Before a slash: where a value may begin, so that the slash begins a pattern and is no division. */
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};+<>~^%*]|\breturn|\btypeof)\s*$/u;
/** How much of the text before a slash is looked at. */
const BEFORE_LENGTH = 40;
const CONSTRUCTOR = /\bRegExp\(\s*$/u;

export function productPatterns(): readonly Pattern[] {
  return sourceFiles(['src'], '.ts').flatMap(({ path, text }) => patternsIn(text).map((one) => ({ path, ...one })));
}

/** The patterns of a TypeScript text: literals, and what is given to `RegExp`, where a value that is filled in counts as a letter. */
export function patternsIn(text: string): readonly Omit<Pattern, 'path'>[] {
  const found: Omit<Pattern, 'path'>[] = [];
  for (let at = 0; at < text.length; ) {
    const { end, patterns } = tokenAt(text, at);
    found.push(...patterns);
    at = end;
  }
  return found;
}

type Token = { readonly end: number; readonly patterns: readonly Omit<Pattern, 'path'>[] };

function tokenAt(text: string, at: number): Token {
  const first = text[at] ?? '';
  if (text.startsWith('//', at)) return { end: endOr(text.indexOf('\n', at), text), patterns: [] };
  if (text.startsWith('/*', at)) return { end: endOr(text.indexOf('*/', at), text) + 2, patterns: [] };
  if (`'"\``.includes(first)) return quotedAt(text, at, first);
  if (first !== '/') return { end: at + 1, patterns: [] };
  const before = withoutComments(text.slice(Math.max(0, at - BEFORE_LENGTH), at));
  if (!BEFORE_PATTERN.test(before)) return { end: at + 1, patterns: [] };
  const end = endOfPattern(text, at);
  const flags = /^[a-z]*/u.exec(text.slice(end))?.[0] ?? '';
  return { end: end + flags.length, patterns: [{ source: text.slice(at + 1, end - 1), flags }] };
}

function quotedAt(text: string, at: number, quote: string): Token {
  const end = endOfQuoted(text, at, quote);
  const inside = text.slice(at + 1, end - 1);
  if (CONSTRUCTOR.test(text.slice(Math.max(0, at - BEFORE_LENGTH), at))) {
    return { end, patterns: [{ source: filledIn(inside), flags: 'u' }] };
  }
  return { end, patterns: quote === '`' ? insertions(inside).flatMap(patternsIn) : [] };
}

function endOr(index: number, text: string): number {
  return index === -1 ? text.length : index;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[^*]*\*\//gu, '').replace(/\/\/[^\n]*\n/gu, '');
}

function endOfQuoted(text: string, start: number, quote: string): number {
  let at = start + 1;
  while (at < text.length && text[at] !== quote) {
    if (text[at] === '\\') at += 2;
    else if (quote === '`' && text.startsWith('${', at)) at = endOfInsertion(text, at);
    else at += 1;
  }
  return at + 1;
}

/** Past the brace that closes `${`. */
function endOfInsertion(text: string, start: number): number {
  let depth = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '{') depth += 1;
    else if (character === '}' && --depth === 0) return at + 1;
    else if (`'"\``.includes(character)) at = endOfQuoted(text, at, character) - 1;
  }
  return text.length;
}

function insertions(template: string): readonly string[] {
  const found: string[] = [];
  for (let at = template.indexOf('${'); at !== -1; at = template.indexOf('${', at)) {
    const end = endOfInsertion(template, at);
    found.push(template.slice(at + 2, end - 1));
    at = end;
  }
  return found;
}

function filledIn(template: string): string {
  return insertions(template)
    .reduce((text, inner) => text.replace(`\${${inner}}`, 'x'), template)
    .replaceAll('\\\\', '\\');
}

function endOfPattern(text: string, start: number): number {
  let isInClass = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '/' && !isInClass) return at + 1;
    else if (character === '\n') throw new Error(`A pattern has no end: ${text.slice(start, at)}`);
  }
  throw new Error('A pattern has no end');
}
