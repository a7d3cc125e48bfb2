import type { Finding } from '../../authority-error.ts';
import type { ListsInForce } from '../../catalogue/catalogue.ts';
import { compareAmounts, sum, TOLERANCE, TOLERANCE_PER_ITEM } from './amounts.ts';
import type { InvoiceDocument, Item, VatTotal } from './document-schema.ts';

/** There must be one row per pair of tax group and tax indicator, with the sums of the items of that pair. */
export function checkVatTotals({ docItems, vatTotals }: InvoiceDocument, lists: ListsInForce): readonly Finding[] {
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
    return checkRow(row, items, `document.vatTotals[${index}]`, lists);
  });
}

function checkRow(row: VatTotal, items: readonly Item[], path: string, lists: ListsInForce): readonly Finding[] {
  const tolerance = TOLERANCE + items.length * TOLERANCE_PER_ITEM;
  const percent = lists.find('tax-groups', row.vatCode)?.percent ?? 0;
  const isReverseCharge = lists.find('tax-indicators', row.vatTaxIndicator)?.vatImpact === 'PRENESEN';
  const taxable = sum(items.map((item) => item.docItemTotalPriceWoVat));
  // Under reverse charge the buyer owes the VAT, and only this row shows it.
  const vat = isReverseCharge ? (taxable * percent) / 100 : sum(items.map((item) => item.docItemTotalVat));
  return compareAmounts('E10202', [
    { parameter: `${path}.vatPercent`, sent: row.vatPercent, computed: percent, tolerance: 0 },
    { parameter: `${path}.vatTaxableAmount`, sent: row.vatTaxableAmount, computed: taxable, tolerance },
    { parameter: `${path}.vatAmount`, sent: row.vatAmount, computed: vat, tolerance },
    {
      parameter: `${path}.vatTotalAmount`,
      sent: row.vatTotalAmount,
      computed: row.vatTaxableAmount + row.vatAmount,
      tolerance,
    },
  ]);
}

function pairOf(group: string, indicator: string): string {
  return `${group} with ${indicator}`;
}
