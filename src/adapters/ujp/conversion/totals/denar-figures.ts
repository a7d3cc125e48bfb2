import type { InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import { DENAR } from '../../../../domain/invoices/denar.ts';
import { isVat } from '../../../../domain/invoices/stated-codes.ts';
import type { StatedRate } from '../../../../domain/invoices/stated-rate.ts';
import { TOTAL_DECIMALS } from '../../../../domain/invoices/stated-totals.ts';
import { message } from '../../../../domain/messages/message.ts';
import { type Decimal, formatShortest, multiply, round, sum } from '../../../../domain/values/decimal.ts';
import { netOf, type PricedLine } from '../lines/priced-line.ts';
import { categoryKey, namedCategory } from '../vat/vat-category.ts';
import { isConverted } from './converted-amount.ts';
import { statedRate } from './currency.ts';
import { decimalAt } from './money.ts';
import type { DocumentTotals } from './totals.ts';
import { shownAmount, shownSum, totalsMismatch } from './totals-mismatch.ts';

type Registered = {
  readonly lines: readonly PricedLine[];
  readonly totals: DocumentTotals;
  readonly currency: string;
};

type Compared = Registered & { readonly rate: StatedRate };

/**
 * A stated rate that other amounts in denars contradict is stated the wrong way round, for a hundred units, or of another day: it would be
 * registered for good. The VAT in denars does not tell where there is none. Issuers may convert each line and allowance by itself, into whole
 * denars too, with a rate of which they state fewer decimals.
 */
export function checkDenarFigures(content: InvoiceContent, registered: Registered): void {
  if (registered.currency === DENAR) return;
  const rate = statedRate(content, registered.currency);
  if (rate === null) return;
  checkTaxable(content, { ...registered, rate });
  checkPayable(content, { ...registered, rate });
}

function checkTaxable({ taxTotals, allowanceCharges }: InvoiceContent, compared: Compared): void {
  const inDenars = taxTotals.flatMap(({ subtotals }) =>
    subtotals.flatMap(({ taxable, category, path }) =>
      taxable?.currency === DENAR && category !== null && isVat(category.scheme)
        ? { category, path, amount: decimalAt(taxable.value, `${path}/cbc:TaxableAmount`) }
        : [],
    ),
  );
  const linesByCategory = Map.groupBy(compared.lines, ({ category }) => categoryKey(category));
  for (const [key, own] of Map.groupBy(inDenars, ({ category }) => categoryKey(category))) {
    const lines = linesByCategory.get(key);
    const [first] = own;
    if (first === undefined || lines === undefined) continue;
    const net = sum(lines.map(netOf));
    const stated = own.map(({ amount }) => amount);
    if (isConverted(sum(stated), net, compared.rate, lines.length + allowanceCharges.length)) continue;
    const { category, rate: percent } = namedCategory(first.category);
    const values = { category, percent, ...figures(stated, net, compared) };
    totalsMismatch(message('taxable-in-denars-differs', values), `${first.path}/cbc:TaxableAmount`);
  }
}

/** That of the total or of what is left of it: UBL does not say which of them is meant where something was prepaid. */
function checkPayable(content: InvoiceContent, compared: Compared): void {
  const { totals: stated, taxTotals, allowanceCharges, prepaidPayments } = content;
  const { lines, totals, rate } = compared;
  const { payableAlternative } = stated;
  if (payableAlternative?.currency !== DENAR) return;
  const path = `${stated.path}/cbc:PayableAlternativeAmount`;
  const amount = decimalAt(payableAlternative.value, path);
  const subtotals = taxTotals.flatMap((one) => one.subtotals);
  const parts = [lines, allowanceCharges, subtotals, prepaidPayments].reduce((count, { length }) => count + length, 1);
  if ([totals.final, totals.gross].some((own) => isConverted(amount, own, rate, parts))) return;
  totalsMismatch(message('payable-in-denars-differs', figures([amount], totals.final, compared)), path);
}

function figures(stated: readonly Decimal[], amount: Decimal, { currency, rate: { rate } }: Compared) {
  return {
    stated: shownSum(stated),
    amount: shownAmount(round(amount, TOTAL_DECIMALS)),
    currency,
    rate: formatShortest(rate),
    computed: shownAmount(round(multiply(amount, rate), TOTAL_DECIMALS)),
  };
}
