import type { ListedInbound, ListedOutbound } from '../../../application/ports/storage/search/document-search-store.ts';
import type { Found } from '../../../application/search/search-documents.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import { OUTBOUND_STATUSES } from '../../../domain/documents/outbound-status.ts';
import { viewWords } from '../../../domain/messages/view-texts.ts';
import { shortText } from '../../../domain/values/one-line-text.ts';
import { amountText } from '../../../domain/views/shown-numbers.ts';
import { type Html, html } from '../../../http/pages/html.ts';
import { ROOT } from '../../answers.ts';
import type { FilterTroubles } from '../../requests/read-filters.ts';
import { type FilterField, filterField, notListed, filterOption as option } from '../filter-field.ts';
import { framed } from '../frame.ts';
import { listLink } from '../list-pages.ts';
import { badge, statusTone } from '../marks.ts';
import type { ConsoleView } from '../view.ts';

/** What was asked for, as it stands in the address. */
export type Asked = Readonly<Record<'q' | 'direction' | 'status' | 'code' | 'tenant' | 'since' | 'until', string>>;

export type Shown =
  | { readonly direction: 'outbound'; readonly found: Found<ListedOutbound> }
  | { readonly direction: 'inbound'; readonly found: Found<ListedInbound> };

const MOST_CHARACTERS = 80;

export type DocumentList = {
  readonly asked: Asked;
  readonly troubles: FilterTroubles;
  /** Null where a filter cannot be used. */
  readonly shown: Shown | null;
  readonly tenantNames: ReadonlyMap<Edb, string>;
};

export function documentsPage(view: ConsoleView, { asked, troubles, shown, tenantNames }: DocumentList): string {
  const { words } = view;
  const body = html`<h1>${words('documents')}</h1>
${searchForm(view, asked, troubles)}
${shown === null ? notListed(view) : documentTable(view, asked, shown, tenantNames)}`;
  return framed(view, { title: words('documents'), place: 'documents', body });
}

function documentTable(view: ConsoleView, asked: Asked, shown: Shown, names: ReadonlyMap<Edb, string>): Html {
  const { words } = view;
  const rows =
    shown.direction === 'outbound'
      ? shown.found.documents.map((one) => outboundRow(view, one, names.get(one.tenant) ?? ''))
      : shown.found.documents.map((one) => inboundRow(view, one, names.get(one.tenant) ?? ''));
  const heads = ['number', 'tenant', 'partner', 'amount', 'status', 'time'] as const;
  return html`${rows.length === 0 ? html`<p class="quiet">${words('no-document')}</p>` : null}
<table class="wide rows"${rows.length === 0 ? html` hidden` : null}><thead><tr>${heads.map((name) => html`<th scope="col"${name === 'amount' ? html` class="num"` : null}>${words(name)}</th>`)}</tr></thead><tbody>
${rows}</tbody></table>
${shown.found.next === null ? null : html`<p><a rel="next" href="${listLink('/documents', asked, { older: shown.found.next })}">${words('older')}</a></p>`}`;
}

function searchForm(view: ConsoleView, asked: Asked, troubles: FilterTroubles): Html {
  const { words, language } = view;
  const directions = (['outbound', 'inbound'] as const).map((one) => option(one, words(one), asked.direction));
  const statuses = OUTBOUND_STATUSES.map((status) =>
    option(String(status), `${status} ${viewWords(language)(`outbound-${status}`)}`, asked.status),
  );
  const field = (name: keyof Asked, label: string, more: Pick<FilterField, 'options' | 'type'> = {}) =>
    filterField(view, troubles, { name, label, asked: asked[name], ...more });
  return html`<form class="search" method="get" action="${ROOT}/documents" role="search">
<div class="first"><label for="q">${words('search-for')}</label><input id="q" name="q" type="search" value="${asked.q}" spellcheck="false" autocomplete="off" maxlength="500"></div>
<div class="fields">${field('direction', words('direction'), { options: directions })}
${field('status', words('status'), { options: [option('', words('any'), asked.status), ...statuses] })}
${field('code', words('failure-code'))}${field('tenant', words('edb-of-tenant'))}${field('since', words('since'), { type: 'date' })}${field('until', words('until'), { type: 'date' })}</div>
<p class="search-run"><button class="main">${words('search')}</button> <a href="${ROOT}/documents">${words('all-documents')}</a></p></form>`;
}

function outboundRow(view: ConsoleView, one: ListedOutbound, tenantName: string): Html {
  const { language, time } = view;
  const status = badge(statusTone(one.status), `${one.status} ${viewWords(language)(`outbound-${one.status}`)}`);
  const code = one.failureCode === null ? null : html` <span class="quiet small">${one.failureCode}</span>`;
  return html`<tr><td>${numberLink(view, 'outbound', one)}</td><td>${tenantName} <span class="quiet small edb">${one.tenant}</span></td><td>${partner(one.partnerName, one.partnerEdb)}</td><td class="num">${amount(view, one)}</td><td>${status}${code}</td><td>${time(one.createdAt)}</td></tr>
`;
}

function inboundRow(view: ConsoleView, one: ListedInbound, tenantName: string): Html {
  const { words, time } = view;
  const state = one.ackedAt === null ? badge('calm', words('not-imported')) : badge('good', words('imported'));
  return html`<tr><td>${numberLink(view, 'inbound', one)}</td><td>${tenantName} <span class="quiet small edb">${one.tenant}</span></td><td>${partner(one.senderName, one.senderEdb)}</td><td class="num">${amount(view, one)}</td><td>${state}</td><td>${time(one.receivedAt)}</td></tr>
`;
}

type Named = Pick<ListedOutbound, 'tenant' | 'docUid' | 'documentNumber'>;

function numberLink({ language }: ConsoleView, direction: string, { tenant, docUid, documentNumber }: Named): Html {
  const text =
    documentNumber === null ? viewWords(language)('without-number') : shortText(documentNumber, MOST_CHARACTERS);
  return html`<a href="${ROOT}/documents/${direction}/${tenant}/${docUid}">${text}</a>`;
}

function partner(name: string | null, edb: string | null): Html {
  return html`${name === null ? null : shortText(name, MOST_CHARACTERS)} <span class="quiet small">${edb === null ? '' : shortText(edb, MOST_CHARACTERS)}</span>`;
}

function amount(
  { language }: ConsoleView,
  { amount: value, currency }: Pick<ListedOutbound, 'amount' | 'currency'>,
): Html {
  if (value === null) return html`–`;
  return html`${shortText(amountText(language, value), MOST_CHARACTERS)} <span class="quiet small">${shortText(currency ?? '', 3)}</span>`;
}
