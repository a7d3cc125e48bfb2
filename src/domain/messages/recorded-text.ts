import { AUTHORITY_CODES } from './en/authority-codes.ts';
import { DELIVERY } from './en/delivery.ts';
import { type Language, type MessageKey, OPERATOR_LANGUAGE } from './languages.ts';
import { words } from './render.ts';

type Template = {
  readonly key: MessageKey;
  /** The texts around its values, and the values' names between them. */
  readonly texts: readonly string[];
  readonly names: readonly string[];
};

type Found = { readonly text: string; readonly end: number };

const NAME = /\{(\w+)\}/u;

/** Longer ones first: one may begin as another does. */
const TEMPLATES: readonly Template[] = Object.entries({ ...DELIVERY, ...AUTHORITY_CODES })
  .map(([key, text]) => {
    const parts = text.split(NAME);
    const at = (isName: boolean) => parts.filter((_, index) => (index % 2 === 1) === isName);
    return { key: key as MessageKey, texts: at(false), names: at(true) };
  })
  // What is a value of another, as a quotation is, would be found everywhere.
  .filter(({ texts }) => (texts[0] ?? '').length > 3)
  .toSorted((one, other) => (other.texts[0] ?? '').length - (one.texts[0] ?? '').length);

/**
 * A text that was put on record in English, in a language: why an attempt failed or a tenant is stopped is kept without the sentences it was
 * made of. They are recognised by the English catalogue; what is none of them, such as words of the authority, stays as it is.
 */
export function recordedText(language: Language, text: string): string {
  if (language === OPERATOR_LANGUAGE) return text;
  const said: string[] = [];
  for (let at = 0; at < text.length; ) {
    const { text: sentence, end } = sentenceAt(language, text, at);
    said.push(sentence);
    at = end;
  }
  return said.join(' ');
}

function sentenceAt(language: Language, text: string, at: number): Found {
  for (const template of TEMPLATES) {
    const found = matchAt(template, text, at);
    if (found !== null)
      return { text: `${words(language, { key: template.key, values: found.values })}.`, end: found.end };
  }
  const end = sentenceEnd(text, '', at);
  return end === null ? { text: text.slice(at), end: text.length } : { text: text.slice(at, end).trimEnd(), end };
}

type Match = { readonly values: Readonly<Record<string, string>>; readonly end: number };

function matchAt({ texts, names }: Template, text: string, at: number): Match | null {
  const [first = '', ...others] = texts;
  if (others.length === 0) return plainAt(first, text, at);
  if (!text.startsWith(first, at)) return null;
  const values: Record<string, string> = {};
  let end = at + first.length;
  for (const [index, next] of others.entries()) {
    const isLast = index === others.length - 1;
    const found: number = isLast ? (sentenceEnd(text, next, end) ?? -1) : text.indexOf(next, end);
    if (found < 0) return null;
    const valueEnd: number = isLast ? text.lastIndexOf(`${next}.`, found) : found;
    values[names[index] ?? ''] = text.slice(end, valueEnd);
    end = isLast ? found : found + next.length;
  }
  return { values, end };
}

function plainAt(sentence: string, text: string, at: number): Match | null {
  if (!text.startsWith(`${sentence}.`, at)) return null;
  const end = at + sentence.length + 1;
  return end === text.length || text[end] === ' ' ? { values: {}, end: Math.min(text.length, end + 1) } : null;
}

/** Where the sentence after this one begins, if this one ends in a text and a full stop; null where none does. */
function sentenceEnd(text: string, ending: string, from: number): number | null {
  const found = text.indexOf(`${ending}. `, from);
  if (found >= 0) return found + ending.length + 2;
  return text.endsWith(`${ending}.`) && text.length - ending.length - 1 >= from ? text.length : null;
}
