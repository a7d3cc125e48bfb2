import { add, type Decimal, round, subtract, sum, ZERO } from '../../../../domain/values/decimal.ts';
import { netOf, type TaxedLine } from '../lines/priced-line.ts';
import type { UjpVatTotal } from '../payload.ts';
import type { ChargedVat } from './line-vat.ts';
import { exactNumber, percentOf, TOTAL_DECIMALS } from './money.ts';

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

/**
 * VAT that is stated together, divided over its rows if its lines have several tax indicators: sums are rounded as they grow, so that
 * the parts add up to the whole and each is within a cent of its lines. Rows are taken by their names: the order of the lines says nothing.
 */
function chargedByRow({ groups }: ChargedVat): ReadonlyMap<string, Decimal> {
  const rows = new Map<string, Decimal>();
  for (const { lines, vat: whole } of groups) {
    const charged = lines.filter(({ treatment }) => treatment.impact === 'STANDARD');
    const ofRows = [...Map.groupBy(charged, rowKey)].toSorted(([one], [other]) => (one < other ? -1 : 1));
    let exact = ZERO;
    let shown = ZERO;
    for (const [index, [key, group]] of ofRows.entries()) {
      exact = add(exact, sum(group.map(({ vat }) => vat)));
      const next = index === ofRows.length - 1 ? whole : round(exact, TOTAL_DECIMALS);
      rows.set(key, add(rows.get(key) ?? ZERO, subtract(next, shown)));
      shown = next;
    }
  }
  return rows;
}

function rowKey({ treatment }: TaxedLine): string {
  return JSON.stringify([treatment.group, treatment.indicator]);
}
