import type { Language } from '../../../domain/messages/languages.ts';
import { type ViewWords, viewWords } from '../../../domain/messages/view-texts.ts';
import { amountText, dateText, quantityText, timeText } from '../../../domain/views/shown-numbers.ts';
import { type Html, html, type Part } from '../html.ts';

/** The words and the numbers of a page in its language. */
export type PageContext = {
  readonly language: Language;
  readonly words: ViewWords;
  readonly amount: (value: string) => Html;
  readonly quantity: (value: string) => Html;
  readonly date: (value: string) => Html;
  readonly time: (timeMs: number) => Html;
};

export function pageContext(language: Language): PageContext {
  return {
    language,
    words: viewWords(language),
    amount: (value) => numberHtml(amountText(language, value)),
    quantity: (value) => numberHtml(quantityText(language, value)),
    date: (value) => html`<time datetime="${value}">${dateText(language, value)}</time>`,
    time: (timeMs) => html`<time datetime="${new Date(timeMs).toISOString()}">${timeText(language, timeMs)}</time>`,
  };
}

/** Numbers stay on one line, but for those that no column is wide enough for. */
const LONGEST_ON_A_LINE = 24;

function numberHtml(text: string): Html {
  return text.length <= LONGEST_ON_A_LINE ? html`${text}` : html`<span class="long">${text}</span>`;
}

/** Names with their values, as a list; those without a value are left out. Null where none is left. */
export function facts(entries: readonly (readonly [string, Part])[]): Html | null {
  const known = entries.filter(([, value]) => value !== null && value !== '');
  if (known.length === 0) return null;
  return html`<dl class="facts">
${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

/** Each in a line of its own. */
export function textLines(texts: readonly Part[]): Html {
  return html`${texts.map((text, index) => (index === 0 ? text : html`<br>${text}`))}`;
}
