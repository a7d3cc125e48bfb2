import { type Html, html } from '../../http/pages/html.ts';
import { filled } from '../../http/pages/page.ts';
import { ROOT } from '../answers.ts';
import type { Search } from '../requests/read-search.ts';
import { filterField, filterOption, notListed } from './filter-field.ts';
import type { ConsoleView } from './view.ts';

/** As many rows as somebody looks through: an office of accountants may have thousands of taxpayers. */
const PAGE_SIZE = 100;

type RowList<Row, State extends string> = {
  readonly path: string;
  readonly search: Search<State>;
  /** What can be looked for. */
  readonly label: string;
  /** The states to choose from, in words. */
  readonly states: Readonly<Record<State, string>>;
  /** What was found, on all pages. */
  readonly rows: readonly Row[];
  readonly table: (rows: readonly Row[]) => Html;
};

/** A list of rows page by page, with the search above it. The part below the search is kept up to date by its name. */
export function searchedList<Row, State extends string>(
  view: ConsoleView,
  name: string,
  { path, search, label, states, rows, table }: RowList<Row, State>,
): Html {
  const { words } = view;
  const { asked, troubles } = search;
  const options = [
    filterOption('', words('any'), asked.state),
    ...Object.entries<string>(states).map(([value, text]) => filterOption(value, text, asked.state)),
  ];
  const text = filterField(view, troubles, { name: 'q', label, asked: asked.q });
  const state = filterField(view, troubles, { name: 'state', label: words('state'), asked: asked.state, options });
  const none = html`<p class="quiet">${words('nothing-found')}</p>`;
  const page = pageOf(rows, asked.page);
  const listed = html`${rows.length === 0 ? none : table(page.rows)}${pageLinks(view, path, search, page)}`;
  return html`<form class="search" method="get" action="${ROOT}${path}" role="search">
<div class="fields">${text}${state}</div>
<p class="search-run"><button class="main">${words('search')}</button> <a href="${ROOT}${path}">${words('show-all')}</a></p></form>
<div data-live="${name}">${troubles.size > 0 ? notListed(view) : listed}</div>`;
}

type Page<Row> = { readonly rows: readonly Row[]; readonly page: number; readonly pages: number; readonly all: number };

/** The page that is asked for, or the nearest: rows may have become fewer since its address was made. */
function pageOf<Row>(rows: readonly Row[], asked: string): Page<Row> {
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_SIZE));
  const wanted = /^\d{1,6}$/u.test(asked) ? Number(asked) : 1;
  const page = Math.min(Math.max(1, wanted), pages);
  return { rows: rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), page, pages, all: rows.length };
}

/** Which rows these are, and the way to the others; nothing where there are no others. */
function pageLinks<Row, State extends string>(
  { words, number }: ConsoleView,
  path: string,
  { asked: { page: _, ...filters } }: Search<State>,
  { rows, page, pages, all }: Page<Row>,
): Html | null {
  if (pages === 1) return null;
  const before = (page - 1) * PAGE_SIZE;
  const shown = { from: number(before + 1), to: number(before + rows.length), all: number(all) };
  const link = (rel: 'prev' | 'next', to: number) =>
    html`<a rel="${rel}" href="${listLink(path, filters, { page: String(to) })}">${words(`${rel}-page`)}</a>`;
  return html`<p><span class="quiet">${filled(words('rows-shown'), shown)}</span> ${page > 1 ? link('prev', page - 1) : null} ${page < pages ? link('next', page + 1) : null}</p>`;
}

/** Where another part of a list is, with the same filters. */
export function listLink(
  path: string,
  filters: Readonly<Record<string, string>>,
  part: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams(Object.entries({ ...filters, ...part }).filter(([, value]) => value !== ''));
  return `${ROOT}${path}?${query}`;
}
