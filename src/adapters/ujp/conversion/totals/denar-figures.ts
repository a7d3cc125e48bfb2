import type { InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import { DENAR } from '../../../../domain/invoices/denar.ts';
import { isVat } from '../../../../domain/invoices/vat-scheme.ts';
import { message } from '../../../../domain/messages/message.ts';
import {
  absolute,
  add,
  compare,
  type Decimal,
  formatShortest,
  multiply,
  round,
  subtract,
  sum,
} from '../../../../domain/values/decimal.ts';
import { netOf, type PricedLine } from '../lines/priced-line.ts';
import { categoryKey, namedCategory } from '../vat/vat-category.ts';
import { statedRate } from './currency.ts';
import { decimalAt, HALF_CENT, TOTAL_DECIMALS } from './money.ts';
import type { DocumentTotals } from './totals.ts';
import { shownAmount, totalsMismatch } from './totals-mismatch.ts';

type Registered = {
  readonly lines: readonly PricedLine[];
  readonly totals: DocumentTotals;
  readonly currency: string;
  /** Denars for one unit of the currency. */
  readonly rate: Decimal;
};

/** An amount to pay in denars may be in whole ones. */
const HALF_DENAR: Decimal = { units: 5n, scale: 1 };

/**
 * A stated rate that other amounts in denars contradict is stated the wrong way round, for a hundred units, or of another day: it would be
 * registered for good. The VAT in denars does not tell where there is none. Issuers may convert line by line, so each line may be off
 * by half a cent at the rate and by half a deni.
 */
export function checkDenarFigures(content: InvoiceContent, registered: Registered): void {
  if (registered.currency === DENAR || statedRate(content, registered.currency) === null) return;
  checkTaxable(content, registered);
  checkPayable(content, registered);
}

function checkTaxable({ taxTotals }: InvoiceContent, registered: Registered): void {
  const inDenars = taxTotals.flatMap(({ subtotals }) =>
    subtotals.flatMap(({ taxable, category, path }) =>
      taxable?.currency === DENAR && category !== null && isVat(category.scheme)
        ? { category, path, amount: decimalAt(taxable.value, `${path}/cbc:TaxableAmount`) }
        : [],
    ),
  );
  const linesByCategory = Map.groupBy(registered.lines, ({ category }) => categoryKey(category));
  for (const [key, own] of Map.groupBy(inDenars, ({ category }) => categoryKey(category))) {
    const lines = linesByCategory.get(key);
    const [first] = own;
    if (first === undefined || lines === undefined) continue;
    const net = sum(lines.map(netOf));
    const stated = sum(own.map(({ amount }) => amount));
    if (isConverted(stated, net, registered.rate, ofLines(lines.length, registered.rate))) continue;
    const { category, rate: percent } = namedCategory(first.category);
    const values = { category, percent, ...figures(stated, net, registered) };
    totalsMismatch(message('taxable-in-denars-differs', values), `${first.path}/cbc:TaxableAmount`);
  }
}

/** That of the total or of what is left of it: UBL does not say which of them is meant where something was prepaid. */
function checkPayable({ totals: stated, taxTotals }: InvoiceContent, registered: Registered): void {
  const { lines, totals, rate } = registered;
  const { payableAlternative } = stated;
  if (payableAlternative?.currency !== DENAR) return;
  const path = `${stated.path}/cbc:PayableAlternativeAmount`;
  const amount = decimalAt(payableAlternative.value, path);
  const rounded = lines.length + taxTotals.flatMap(({ subtotals }) => subtotals).length + 1;
  const most = add(HALF_DENAR, ofLines(rounded, rate));
  if ([totals.final, totals.gross].some((own) => isConverted(amount, own, rate, most))) return;
  totalsMismatch(message('payable-in-denars-differs', figures(amount, totals.final, registered)), path);
}

function ofLines(count: number, rate: Decimal): Decimal {
  return multiply(add(multiply(HALF_CENT, rate), HALF_CENT), { units: BigInt(count), scale: 0 });
}

function isConverted(stated: Decimal, amount: Decimal, rate: Decimal, most: Decimal): boolean {
  return compare(absolute(subtract(stated, multiply(amount, rate))), most) <= 0;
}

function figures(stated: Decimal, amount: Decimal, { currency, rate }: Registered) {
  return {
    stated: shownAmount(stated),
    amount: shownAmount(round(amount, TOTAL_DECIMALS)),
    currency,
    rate: formatShortest(rate),
    computed: shownAmount(round(multiply(amount, rate), TOTAL_DECIMALS)),
  };
}
