import assert from 'node:assert/strict';
import { exactValue, SCALE, type Sent, type SentObject } from './sent-figures.ts';

/** The formulas that the authority publishes, applied to the figures as sent, in exact arithmetic. */

const ONE = 10n ** BigInt(SCALE);
/** Values are compared at the scale of products. */
const CENT = (ONE * ONE) / 100n;
const REVERSE_CHARGE = 'DDV-11-A';

function near(left: bigint, right: bigint, formula: string, most = CENT): void {
  const difference = left - right;
  if (difference <= most && -difference <= most) return;
  assert.fail(`${formula}: off by ${Number(difference) / Number(ONE * ONE)}`);
}

export function checkPublishedFormulas({ docItems, docTotals, vatTotals }: Sent): void {
  for (const item of docItems) checkItem(item);
  checkTotals(docItems, docTotals);
  const keys = new Set(docItems.map((item) => `${rowOf(item, 'docItemVatGroup', 'docItemTaxIndicator')}`));
  assert.equal(vatTotals.length, keys.size, 'one VAT row for each group and indicator');
  for (const row of vatTotals) checkRow(row, docItems);
}

function checkItem(item: SentObject): void {
  const of = (member: string) => exactValue(item, `docItem${member}`);
  const [quantity, unitPrice, unitOriginalPrice] = [of('Qty'), of('UnitPriceWoVat'), of('UnitOriginalPriceWoVat')];
  const [unitVat, total, totalVat] = [of('UnitVat'), of('TotalPriceWoVat'), of('TotalVat')];
  const isTaxed = item['docItemTaxIndicator'] !== REVERSE_CHARGE;
  try {
    near(unitPrice * ONE, (unitOriginalPrice - of('UnitDiscountAmount')) * ONE, 'unit price');
    near(unitVat * ONE, isTaxed ? (unitPrice * of('Vat')) / 100n : 0n, 'unit VAT');
    near(of('TotalOriginalPriceWoVat') * ONE, quantity * unitOriginalPrice, 'original total', CENT / 2n);
    near(total * ONE, quantity * unitPrice, 'total', CENT / 2n);
    near(totalVat * ONE, quantity * unitVat, 'VAT');
    near(of('TotalPriceWVat') * ONE, (total + totalVat) * ONE, 'total with VAT');
  } catch (cause) {
    throw new Error(`item ${JSON.stringify(item)}: ${cause}`, { cause });
  }
}

function checkTotals(items: readonly SentObject[], totals: SentObject): void {
  const of = (member: string) => exactValue(totals, `doc${member}`) * ONE;
  const discount = items.reduce(
    (sum, item) => sum + exactValue(item, 'docItemQty') * exactValue(item, 'docItemUnitDiscountAmount'),
    0n,
  );
  near(of('NetAmount'), sumOf(items, 'docItemTotalOriginalPriceWoVat'), 'net');
  near(of('DiscountAmount'), discount, 'discount');
  near(of('NetAmountDisc'), of('NetAmount') - of('DiscountAmount'), 'net after discount');
  near(of('VatAmount'), sumOf(items, 'docItemTotalVat'), 'VAT');
  near(of('GrossAmount'), of('NetAmountDisc') + of('VatAmount'), 'gross');
  near(of('FinalAmount'), of('GrossAmountR') - of('AvansAmount'), 'final');
  assert.equal(of('GrossAmountR') % (ONE * ONE), 0n, 'a whole denar');
}

function checkRow(row: SentObject, items: readonly SentObject[]): void {
  const key = rowOf(row, 'vatCode', 'vatTaxIndicator');
  const own = items.filter((item) => rowOf(item, 'docItemVatGroup', 'docItemTaxIndicator') === key);
  const of = (member: string) => exactValue(row, member) * ONE;
  const isTaxed = row['vatTaxIndicator'] !== REVERSE_CHARGE;
  const vat = isTaxed
    ? sumOf(own, 'docItemTotalVat')
    : (exactValue(row, 'vatTaxableAmount') * exactValue(row, 'vatPercent')) / 100n;
  near(of('vatTaxableAmount'), sumOf(own, 'docItemTotalPriceWoVat'), `taxable of ${key}`);
  near(of('vatAmount'), vat, `VAT of ${key}`);
  near(
    of('vatTotalAmount'),
    isTaxed ? sumOf(own, 'docItemTotalPriceWVat') : of('vatTaxableAmount') + vat,
    `total of ${key}`,
  );
}

function rowOf(object: SentObject, group: string, indicator: string): string {
  return `${object[group]} ${object[indicator]}`;
}

function sumOf(items: readonly SentObject[], member: string): bigint {
  return items.reduce((sum, item) => sum + exactValue(item, member), 0n) * ONE;
}
