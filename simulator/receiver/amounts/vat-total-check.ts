import type { Finding } from '../../authority-error.ts';
import type { ListsInForce } from '../../catalogue/catalogue.ts';
import type { InvoiceDocument, Item, VatTotal } from '../checks/document-schema.ts';
import { compareAmounts } from './compare-amounts.ts';
import { type Decimal, decimal, isEqual, percentOf, plus, sum, textOf } from './decimal.ts';
import type { Exact } from './written-numbers.ts';

type Row = Exact<VatTotal>;

/**
 * There must be one row per pair of tax group and tax indicator (the authority's published reference, §3.8), with the sums of
 * the items of that pair (§3.9).
 */
export function checkVatTotals(
  { docItems, vatTotals }: Exact<InvoiceDocument>,
  lists: ListsInForce,
  tolerance: Decimal,
): readonly Finding[] {
  const itemsOf = Map.groupBy(docItems, (item) => pairOf(item.docItemVatGroup, item.docItemTaxIndicator));
  const rowsOf = Map.groupBy(vatTotals, (row) => pairOf(row.vatCode, row.vatTaxIndicator));
  const missing = [...itemsOf.keys()].filter((pair) => !rowsOf.has(pair)).map((pair) => `no row for ${pair}`);
  const repeated = [...rowsOf].filter(([, rows]) => rows.length > 1).map(([pair]) => `several rows for ${pair}`);
  const superfluous = [...rowsOf.keys()].filter((pair) => !itemsOf.has(pair)).map((pair) => `no item for ${pair}`);
  const mismatches = [...missing, ...repeated, ...superfluous];
  if (mismatches.length > 0) {
    const parameter = 'document.vatTotals';
    return mismatches.map((mismatch) => ({ code: 'E10202', message: `${parameter}: ${mismatch}`, parameter }));
  }
  return vatTotals.flatMap((row, index) => {
    const items = itemsOf.get(pairOf(row.vatCode, row.vatTaxIndicator)) ?? [];
    return checkRow(row, items, `document.vatTotals[${index}]`, lists, tolerance);
  });
}

function checkRow(
  row: Row,
  items: readonly Exact<Item>[],
  path: string,
  lists: ListsInForce,
  tolerance: Decimal,
): readonly Finding[] {
  const percent = decimal(String(lists.find('tax-groups', row.vatCode)?.percent ?? 0));
  const taxable = sum(items.map((item) => item.docItemTotalPriceWoVat));
  const isReverseCharge = lists.find('tax-indicators', row.vatTaxIndicator)?.vatImpact === 'PRENESEN';
  // Under reverse charge the items have no VAT: the buyer owes it, and only this row shows it (§3.9, PRENESEN).
  const vat = isReverseCharge ? percentOf(taxable, percent) : sum(items.map((item) => item.docItemTotalVat));
  const total = isReverseCharge ? plus(taxable, vat) : sum(items.map((item) => item.docItemTotalPriceWVat));
  const amounts = [
    { parameter: `${path}.vatTaxableAmount`, sent: row.vatTaxableAmount, computed: taxable },
    { parameter: `${path}.vatAmount`, sent: row.vatAmount, computed: vat },
    { parameter: `${path}.vatTotalAmount`, sent: row.vatTotalAmount, computed: total },
  ];
  return [...checkPercent(row, percent, path), ...compareAmounts('E10202', amounts, tolerance)];
}

/** A rate is no amount: it has no tolerance. */
function checkPercent({ vatPercent, vatCode }: Row, percent: Decimal, path: string): readonly Finding[] {
  if (isEqual(vatPercent, percent)) return [];
  const parameter = `${path}.vatPercent`;
  const message = `${parameter}: the rate of ${vatCode} is ${textOf(percent)}, not ${textOf(vatPercent)}`;
  return [{ code: 'E10202', message, parameter }];
}

function pairOf(group: string, indicator: string): string {
  return `${group} with ${indicator}`;
}
