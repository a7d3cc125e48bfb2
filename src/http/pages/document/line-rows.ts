import { wordForCode } from '../../../domain/messages/view-texts.ts';
import type { DocumentView, ViewedAllowance, ViewedLine } from '../../../domain/views/document-view.ts';
import { type Html, html } from '../html.ts';
import { filled } from '../page.ts';
import type { PageContext } from './page-context.ts';

/** So many rows take a millisecond or two; other callers have their turn after each of them. */
const ROWS_AT_ONCE = 25;

/** Characters of the longest quantity, price and amount that have room side by side on the narrowest table, with a description. */
const MOST_FIGURES = 32;

/** The lines of a document. Rendered in slices, with a pause after each, because there may be a thousand of them. */
export async function linesSection(
  { lines, lineCount, currency }: DocumentView,
  context: PageContext,
  pause: () => Promise<void>,
): Promise<Html> {
  const { words } = context;
  if (lines.length === 0) return html`<section><h2>${words('lines')}</h2><p>${words('no-lines')}</p></section>`;
  const rows: Html[] = [];
  for (let start = 0; start < lines.length; start += ROWS_AT_ONCE) {
    if (start > 0) await pause();
    const slice = lines.slice(start, start + ROWS_AT_ONCE);
    rows.push(html`${slice.map((line, index) => row(line, start + index + 1, context))}`);
  }
  const cut = { shown: context.quantity(String(lines.length)), all: context.quantity(String(lineCount)) };
  const amounts = currency === null ? html`${words('net-amounts-plain')}` : filled(words('net-amounts'), { currency });
  return html`<section><h2>${words('lines')}</h2>
${lineCount > lines.length ? html`<p class="cut">${filled(words('lines-cut'), cut)}</p>` : null}
<table class="${haveLongFigures(lines) ? 'lines long-figures' : 'lines'}"><thead><tr><th scope="col">${words('line-number')}</th><th scope="col">${words('description')}</th><th scope="col" class="num">${words('quantity')}</th><th scope="col" class="num">${words('unit-price')}</th><th scope="col" class="num">${words('vat-percent')}</th><th scope="col" class="num">${words('amount')}</th></tr></thead><tbody>
${rows}</tbody></table>
<p class="quiet">${amounts}</p></section>`;
}

function haveLongFigures(lines: readonly ViewedLine[]): boolean {
  const longest = (figureOf: (line: ViewedLine) => string | null) =>
    lines.reduce((length, line) => Math.max(length, figureOf(line)?.length ?? 0), 0);
  return (
    longest(({ quantity }) => quantity) + longest((line) => line.unitPrice) + longest((line) => line.net) > MOST_FIGURES
  );
}

function row(line: ViewedLine, position: number, context: PageContext): Html {
  const { words, amount, quantity } = context;
  const { number, name, details, unitPrice, vatPercent, net } = line;
  return html`<tr><td class="no">${number ?? position}</td><th scope="row">${name ?? '–'}${details.map((one) => html`<small>${one}</small>`)}${line.allowances.map((one) => allowance(one, context))}</th><td class="num" data-name="${words('quantity')}">${line.quantity === null ? '–' : html`${quantity(line.quantity)}${unit(line.unit, context)}`}</td><td class="num" data-name="${words('unit-price')}">${unitPrice === null ? '–' : html`${amount(unitPrice)}${priceBase(line, context)}`}</td><td class="num" data-name="${words('vat-percent')}">${vatPercent === null ? '–' : quantity(vatPercent)}</td><td class="num" data-name="${words('amount')}">${net === null ? '–' : amount(net)}</td></tr>
`;
}

function allowance({ isCharge, reason, amount }: ViewedAllowance, context: PageContext): Html {
  const name = context.words(isCharge ? 'charge' : 'allowance');
  return html`<small>${name}${reason === null ? null : ` (${reason})`}: ${amount === null ? '–' : context.amount(amount)}</small>`;
}

/** A price for other than one unit says so. */
function priceBase({ priceBase: base }: ViewedLine, context: PageContext): Html | null {
  if (base === null) return null;
  const quantity = html`${context.quantity(base.quantity)}${unit(base.unit, context)}`;
  return html` <small>${filled(context.words('price-base'), { quantity })}</small>`;
}

function unit(code: string | null, { language }: PageContext): Html | null {
  return code === null ? null : html` <span class="unit">${wordForCode(language, 'unit', code) ?? code}</span>`;
}
