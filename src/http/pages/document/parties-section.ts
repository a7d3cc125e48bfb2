import type { ViewedDocument } from '../../../application/views/view-document.ts';
import { wordForCode } from '../../../domain/messages/view-texts.ts';
import type { DocumentView, ViewedParty, ViewedReference } from '../../../domain/views/document-view.ts';
import { type Html, html } from '../html.ts';
import { filled } from '../page.ts';
import { facts, type PageContext, textLines } from './page-context.ts';
import { registerCode } from './register-code.ts';

/** Title, dates and numbers, with the code that leads to the register. */
export function headSection(viewed: ViewedDocument & { readonly view: DocumentView }, context: PageContext): Html {
  const { view, euid } = viewed;
  const { words, date } = context;
  const day = (value: string | null) => (value === null ? null : date(value));
  const { period } = view;
  const dates = facts([
    [words('type-name'), view.typeName],
    [words('issue-date'), day(view.issueDate)],
    [words('supply-date'), day(view.supplyDate)],
    [words('delivery-date'), day(view.deliveryDate)],
    [words('due-date'), view.dueDates.length === 0 ? null : textLines(view.dueDates.map(date))],
    [words('due-days'), view.dueDays === null ? null : context.quantity(view.dueDays)],
    [words('period'), period === null ? null : html`${day(period.start)} – ${day(period.end)}`],
    [words('currency'), view.currency],
    [words('exchange-rate'), view.exchangeRate === null ? null : context.quantity(view.exchangeRate)],
    [words('euid'), euid === null ? null : html`<span class="code">${euid}</span>`],
  ]);
  return html`<div class="head"><section><h2 class="unseen">${words('dates')}</h2>${dates}</section>
${registerCode(viewed, context)}</div>`;
}

export function partiesSection({ seller, buyer, delivery }: DocumentView, context: PageContext): Html {
  const { words } = context;
  return html`<div class="parties">${party(words('seller'), seller, context)}
${party(words('buyer'), buyer, context)}
${delivery.length === 0 ? null : html`<section><h2>${words('delivered-to')}</h2><p>${textLines(delivery)}</p></section>`}</div>`;
}

function party(title: string, stated: ViewedParty, { language, words }: PageContext): Html {
  const { name, taxNumber, companyNumber, address, country, contact } = stated;
  const place = country === null ? address : [...address, wordForCode(language, 'country', country) ?? country];
  const numbers = [
    ...(taxNumber === null ? [] : [html`${words('tax-number')}: <span class="number">${taxNumber}</span>`]),
    ...(companyNumber === null ? [] : [html`${words('company-number')}: <span class="number">${companyNumber}</span>`]),
  ];
  return html`<section><h2>${title}</h2><p><strong>${name ?? '–'}</strong></p>
${place.length === 0 ? null : html`<p>${textLines(place)}</p>`}
${numbers.length === 0 ? null : html`<p>${textLines(numbers)}</p>`}
${contact.length === 0 ? null : html`<p class="quiet">${textLines(contact)}</p>`}</section>`;
}

export function referencesSection({ references }: DocumentView, context: PageContext): Html | null {
  if (references.length === 0) return null;
  const { words } = context;
  return html`<section><h2>${words('references')}</h2><ul>
${references.map((one) => html`<li>${reference(one, context)}</li>\n`)}</ul></section>`;
}

function reference({ source, name, number, date }: ViewedReference, context: PageContext): Html {
  const { words } = context;
  const kind = source === null ? name : words(`ref-${source}`);
  const said = source === null || name === null ? null : ` (${name})`;
  return html`${kind === null ? null : `${kind}: `}<strong>${number ?? '–'}</strong>${said}${date === null ? null : html` ${filled(words('dated'), { date: context.date(date) })}`}`;
}

/** Why it voids or corrects an earlier document. */
export function reasonsSection({ amends }: DocumentView, { words }: PageContext): Html | null {
  if (amends === null || amends.reasons.length === 0) return null;
  return html`<section><h2>${words(`reason-${amends.how}`)}</h2>
${amends.reasons.map((one) => html`<p class="text">${one}</p>\n`)}</section>`;
}
