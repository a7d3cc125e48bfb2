import { wordForCode } from '../../../domain/messages/view-texts.ts';
import type { DocumentView, ViewedPayment, ViewedPrepayment, ViewedVat } from '../../../domain/views/document-view.ts';
import { statesCurrency } from '../../../domain/views/shown-numbers.ts';
import { type Html, html } from '../html.ts';
import { filled } from '../page.ts';
import { facts, type PageContext, textLines } from './page-context.ts';

export function totalsSection(view: DocumentView, context: PageContext): Html {
  return html`<div class="sums"><div>${vatTable(view, context)}${allowances(view, context)}</div>
${totals(view, context)}</div>`;
}

function vatTable({ vat }: DocumentView, context: PageContext): Html | null {
  if (vat.length === 0) return null;
  const { words } = context;
  return html`<section><h2>${words('vat')}</h2>
<table class="vat"><thead><tr><th scope="col">${words('vat-kind')}</th><th scope="col" class="num">${words('taxable')}</th><th scope="col" class="num">${words('vat-amount')}</th></tr></thead><tbody>
${vat.map((one) => vatRow(one, context))}</tbody></table></section>`;
}

function vatRow({ code, percent, note, taxable, vat }: ViewedVat, context: PageContext): Html {
  const { language, words, amount, quantity } = context;
  const rate = percent === null ? null : html`${quantity(percent)} %`;
  const kind = code === null ? null : (wordForCode(language, 'vat-code', code) ?? code);
  const name = rate === null || kind === null ? (rate ?? kind ?? '–') : html`${rate} · ${kind}`;
  return html`<tr><th scope="row">${name}${note === null ? null : html`<small>${note}</small>`}</th><td class="num" data-name="${words('taxable')}">${taxable === null ? '–' : amount(taxable)}</td><td class="num" data-name="${words('vat-amount')}">${vat === null ? '–' : amount(vat)}</td></tr>
`;
}

function allowances({ allowances: stated }: DocumentView, { words, amount }: PageContext): Html | null {
  if (stated.length === 0) return null;
  const rows = stated.map(
    (one) =>
      html`<tr><th scope="row">${words(one.isCharge ? 'charge' : 'allowance')}${one.reason === null ? null : html`<small>${one.reason}</small>`}</th><td class="num">${one.amount === null ? '–' : amount(one.amount)}</td></tr>\n`,
  );
  return html`<section><h2>${words('discount-or-charge')}</h2><table><tbody>
${rows}</tbody></table></section>`;
}

function totals({ totals: stated, prepayments, currency }: DocumentView, context: PageContext): Html {
  const { words, amount } = context;
  const paid = prepayments.map((one) => prepayment(one, context));
  const rows = stated.map(
    (one) =>
      html`<tr class="total-${one.name}"><th scope="row">${words(`total-${one.name}`)}${one.name === 'prepaid' ? paid : null}</th><td class="num">${one.amount === null ? '–' : amount(one.amount)}${one.name === 'payable' ? currencyBehind(one.amount, currency) : null}</td></tr>\n`,
  );
  return html`<section class="totals"><h2>${words('totals')}</h2><table><tbody>
${rows}</tbody></table></section>`;
}

function currencyBehind(amount: string | null, currency: string | null): Html | null {
  return currency === null || statesCurrency(amount ?? '') ? null : html` <span class="unit">${currency}</span>`;
}

function prepayment({ number, date }: ViewedPrepayment, context: PageContext): Html {
  const dated = date === null ? null : filled(context.words('dated'), { date: context.date(date) });
  return html`<small>${number}${number === null || dated === null ? null : ' '}${dated}</small>`;
}

export function paymentSection(view: DocumentView, context: PageContext): Html | null {
  const { payments, paymentTerms, interest, earlyDiscount, dueDates } = view;
  if ([payments, paymentTerms, interest, earlyDiscount].every(({ length }) => length === 0)) return null;
  const { words } = context;
  const rates = facts([
    [words('interest'), interest.length === 0 ? null : textLines(interest)],
    [words('early-discount'), earlyDiscount.length === 0 ? null : textLines(earlyDiscount)],
  ]);
  return html`<section><h2>${words('payment')}</h2>
${payments.map((one) => paymentFacts(one, dueDates, context))}${rates}
${paymentTerms.map((one) => html`<p class="text">${one}</p>\n`)}</section>`;
}

/** The date is said once, unless there is another one for these means. */
function paymentFacts(payment: ViewedPayment, stated: readonly string[], context: PageContext): Html | null {
  const { language, words, date } = context;
  const { code, name, dueDate, account, references, notes } = payment;
  const known = code === null ? null : wordForCode(language, 'means', code);
  return facts([
    [words('paid-by'), known ?? name ?? code],
    [words('account'), account === null ? null : html`<span class="number">${account}</span>`],
    [words('payment-reference'), references.length === 0 ? null : textLines(references)],
    [words('due-date'), dueDate === null || stated.includes(dueDate) ? null : date(dueDate)],
    [words('notes'), notes.length === 0 ? null : textLines(notes)],
  ]);
}

export function notesSection({ notes }: DocumentView, { words }: PageContext): Html | null {
  if (notes.length === 0) return null;
  return html`<section><h2>${words('notes')}</h2>
${notes.map((one) => html`<p class="text">${one}</p>\n`)}</section>`;
}
