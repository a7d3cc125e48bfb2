import assert from 'node:assert/strict';
import { exactValue, SCALE, type Sent, type SentObject } from './sent-figures.ts';

/** The formulas that the authority publishes, applied to the figures as sent, in exact arithmetic. */

const ONE = 10n ** BigInt(SCALE);
/** Values are compared at the scale of products. */
const CENT = (ONE * ONE) / 100n;
const REVERSE_CHARGE = 'DDV-11-A';

function near(left: bigint, right: bigint, formula: string, most = CENT): void {
  const difference = left - right;
  assert.ok(difference <= most && -difference <= most, `${formula}: off by ${Number(difference) / Number(ONE * ONE)}`);
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
  const quantity = of('Qty');
  const isTaxed = item['docItemTaxIndicator'] !== REVERSE_CHARGE;
  const name = `item ${JSON.stringify(item)}`;
  near(
    of('UnitPriceWoVat') * ONE,
    (of('UnitOriginalPriceWoVat') - of('UnitDiscountAmount')) * ONE,
    `unit price, ${name}`,
  );
  near(of('UnitVat') * ONE, isTaxed ? (of('UnitPriceWoVat') * of('Vat')) / 100n : 0n, `unit VAT, ${name}`);
  near(
    of('TotalOriginalPriceWoVat') * ONE,
    quantity * of('UnitOriginalPriceWoVat'),
    `original total, ${name}`,
    CENT / 2n,
  );
  near(of('TotalPriceWoVat') * ONE, quantity * of('UnitPriceWoVat'), `total, ${name}`, CENT / 2n);
  near(of('TotalVat') * ONE, quantity * of('UnitVat'), `VAT, ${name}`);
  near(of('TotalPriceWVat') * ONE, (of('TotalPriceWoVat') + of('TotalVat')) * ONE, `total with VAT, ${name}`);
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
