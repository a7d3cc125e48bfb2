import { TOTAL_DECIMALS } from '../../../../domain/invoices/stated-totals.ts';
import { add, type Decimal, round, sum, ZERO } from '../../../../domain/values/decimal.ts';
import { netOf, type TaxedLine } from '../lines/priced-line.ts';
import type { UjpVatTotal } from '../payload.ts';
import type { ChargedVat } from './line-vat.ts';
import { exactNumber, percentOf } from './money.ts';

/** One row for each combination of tax group and indicator, in the order of their first lines. */
export function vatRows(vat: ChargedVat): readonly UjpVatTotal[] {
  const charged = chargedByRow(vat);
  return [...Map.groupBy(vat.lines, rowKey)].flatMap(([key, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const { path, treatment } = first;
    const net = sum(group.map(netOf));
    const taxable = round(net, TOTAL_DECIMALS);
    // Under reverse charge the row shows the tax that the buyer owes (VAT Act, art. 32-a).
    const isOwedByBuyer = treatment.impact === 'PRENESEN';
    const shown = isOwedByBuyer ? round(percentOf(net, treatment.rate), TOTAL_DECIMALS) : (charged.get(key) ?? ZERO);
    return {
      vatTaxIndicator: treatment.indicator,
      vatTaxIndicatorNote: treatment.note,
      vatCode: treatment.group,
      vatPercent: exactNumber(treatment.rate, path),
      vatTaxableAmount: exactNumber(taxable, path),
      vatAmount: exactNumber(shown, path),
      vatTotalAmount: exactNumber(add(taxable, shown), path),
    };
  });
}

/** A row may be that of several categories. */
function chargedByRow({ groups }: ChargedVat): ReadonlyMap<string, Decimal> {
  const rows = new Map<string, Decimal>();
  for (const {
    lines: [first],
    vat,
  } of groups) {
    if (first === undefined) continue;
    const key = rowKey(first);
    rows.set(key, add(rows.get(key) ?? ZERO, vat));
  }
  return rows;
}

function rowKey({ treatment }: TaxedLine): string {
  return JSON.stringify([treatment.group, treatment.indicator]);
}
