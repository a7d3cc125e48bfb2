import { trailRemarks } from '../../application/audit/trail-remarks.ts';
import type { TrailCheck } from '../../application/audit/verify-audit-trail.ts';
import type { AuditPage } from '../../application/ports/storage/audit-store.ts';
import type { AuditSeal } from '../../domain/audit/audit-seal.ts';
import { render } from '../../domain/messages/render.ts';
import { type Html, html } from '../../http/pages/html.ts';
import { filled } from '../../http/pages/page.ts';
import { ROOT } from '../answers.ts';
import type { FilterTroubles } from '../requests/read-filters.ts';
import { auditTable } from './audit-table.ts';
import { filterField, notListed } from './filter-field.ts';
import { formToken, framed } from './frame.ts';
import { listLink } from './list-pages.ts';
import { badge } from './marks.ts';
import type { ConsoleView } from './view.ts';

export type AskedEntries = Readonly<Record<'tenant' | 'key' | 'document' | 'since' | 'until', string>>;

export type AuditShown = {
  readonly asked: AskedEntries;
  readonly troubles: FilterTroubles;
  /** Null where a filter cannot be used. */
  readonly page: AuditPage | null;
  readonly seals: readonly AuditSeal[];
  /** Where the whole trail was just verified. */
  readonly check: TrailCheck | null;
};

export function auditPage(view: ConsoleView, { asked, troubles, page, seals, check }: AuditShown): string {
  const { words } = view;
  const body = html`<h1>${words('audit')}</h1>
<div class="split"><section class="panel"><h2>${words('chain-state')}</h2>${sealList(view, seals)}
${check === null ? null : checkText(view, check)}
<form method="post" action="${ROOT}/audit">${formToken(view)}<p><button>${words('verify-trail')}</button> <span class="quiet small">${words('verify-trail-means')}</span></p></form></section></div>
${searchForm(view, asked, troubles)}
${page === null ? notListed(view) : entryPage(view, asked, page)}`;
  return framed(view, { title: words('audit'), place: 'audit', body });
}

function entryPage(view: ConsoleView, asked: AskedEntries, { entries, next }: AuditPage): Html {
  const { words, number } = view;
  const older =
    next === null
      ? null
      : html`<p><span class="quiet">${filled(words('entries-shown'), { entries: number(entries.length) })}</span> <a rel="next" href="${listLink('/audit', asked, { older: next })}">${words('older')}</a></p>`;
  return html`${auditTable(view, entries)}
${older}`;
}

function sealList({ words, time, number }: ConsoleView, seals: readonly AuditSeal[]): Html {
  if (seals.length === 0) return html`<p class="quiet">${words('no-seals')}</p>`;
  const items = seals.map(
    ({ chain, block, total, sealedAt }) =>
      html`<li>${filled(words('sealed-until'), { chain: words(`chain-${chain}`), block: number(block), entries: number(total), at: time(sealedAt) })}</li>\n`,
  );
  return html`<ul class="plain">${items}</ul>`;
}

function checkText({ words, number, language }: ConsoleView, check: TrailCheck): Html {
  const { isIntact, break: found, entries, blocks, waiting } = check;
  const says = isIntact
    ? filled(words('trail-intact-means'), {
        entries: number(entries),
        blocks: number(blocks),
        waiting: number(waiting),
      })
    : html`${found === null ? '' : render(language, [found.said])}`;
  const remarks = isIntact
    ? trailRemarks(check).map(
        (remark) => html`<p>${badge('warn', words('trail-remark'))} ${render(language, [remark])}</p>\n`,
      )
    : [];
  return html`<div role="status"><p>${badge(isIntact ? 'good' : 'bad', words(isIntact ? 'trail-intact' : 'trail-broken'))} ${says}</p>
${remarks}</div>`;
}

function searchForm(view: ConsoleView, asked: AskedEntries, troubles: FilterTroubles): Html {
  const { words } = view;
  const field = (name: keyof AskedEntries, label: string, type: 'text' | 'date') =>
    filterField(view, troubles, { name, label, asked: asked[name], type });
  return html`<form class="search" method="get" action="${ROOT}/audit" role="search"><div class="fields">
${field('tenant', words('edb-of-tenant'), 'text')}${field('key', words('key'), 'text')}${field('document', words('doc-uid'), 'text')}${field('since', words('since'), 'date')}${field('until', words('until'), 'date')}</div>
<p class="search-run"><button class="main">${words('search')}</button></p></form>`;
}
