import { shortText } from '../../domain/values/one-line-text.ts';
import { type Html, html } from '../../http/pages/html.ts';
import { filled } from '../../http/pages/page.ts';
import type { FilterTroubles } from '../requests/read-filters.ts';
import type { ConsoleView } from './view.ts';

const MOST_CHARACTERS = 80;

export type FilterField = {
  readonly name: string;
  readonly label: string;
  /** What was asked for, as it stands in the address. */
  readonly asked: string;
  /** The options of a choice. */
  readonly options?: readonly Html[];
  readonly type?: 'text' | 'date';
};

/** A filter of a list, and beside it why it cannot be used: what was asked for is quoted, since a field for dates shows nothing else. */
export function filterField({ words }: ConsoleView, troubles: FilterTroubles, field: FilterField): Html {
  const { name, label, asked, options, type = 'text' } = field;
  const trouble = troubles.get(name);
  // A field for dates takes nothing else, and browsers complain.
  const value = trouble === 'no-day' ? '' : asked;
  const marks = trouble === undefined ? null : html` aria-invalid="true" aria-describedby="${name}-trouble"`;
  const input =
    options === undefined
      ? html`<input id="${name}" name="${name}" type="${type}" value="${value}" spellcheck="false"${marks}>`
      : html`<select id="${name}" name="${name}"${marks}>${options}</select>`;
  const says = trouble === undefined ? null : filled(words(trouble), { text: shortText(asked, MOST_CHARACTERS) });
  return html`<div><label for="${name}">${label}</label>${input}${says === null ? null : html`<p class="bad small" id="${name}-trouble">${says}</p>`}</div>`;
}

/** One of the options of a choice. */
export function filterOption(value: string, label: string, chosen: string): Html {
  return html`<option value="${value}"${value === chosen ? html` selected` : null}>${label}</option>`;
}

/** In place of a list that would not be the one that was asked for. */
export function notListed({ words }: ConsoleView): Html {
  return html`<p class="trouble" role="alert">${words('filter-not-read')}</p>`;
}
