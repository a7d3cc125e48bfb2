import type {
  AllowanceCharge,
  InvoiceContent,
  TaxCategory,
  TaxSubtotal,
  TaxTotal,
} from '../documents/invoice-content.ts';
import { isVat } from '../invoices/stated-codes.ts';
import { countedTaxTotals, within } from '../invoices/stated-totals.ts';
import { formatShortest, isNegative, isZero, parseDecimal, ZERO } from '../values/decimal.ts';
import type { ViewedVat } from './document-view.ts';
import type { ShownTexts } from './shown-texts.ts';
import { sumOfAmounts } from './sum-of-amounts.ts';

/** The category of every rate above zero, which the percentage tells apart. */
const STANDARD_RATE = 'S';

/** The subtotals of all tax totals. VAT may be stated in denars as well; what is shown is in the currency of the document. */
export function vatRows(content: InvoiceContent, shown: ShownTexts): readonly ViewedVat[] {
  const { taxTotals, currency } = content;
  const rows = taxTotals.flatMap((total) => subtotalsIn(total, currency));
  const reasonOfItems = createReasonOfItems(rows, content);
  return shown.list(rows).map(({ taxable, tax, category }) => ({
    code: shown.code(codeOf(category)),
    percent: category?.percent ?? null,
    note: shown.text(reasonOf(category) ?? reasonOfItems(category)),
    taxable: taxable?.value ?? null,
    vat: tax?.value ?? null,
  }));
}

/**
 * What is registered: the VAT of the subtotals, with that of tax totals without any that do not repeat them. Where one total has all
 * subtotals, its amount is shown as it is stated.
 */
export function vatTotal(content: InvoiceContent): string | null {
  const { taxTotals, currency } = content;
  const withRows = taxTotals.filter((total) => subtotalsIn(total, currency).length > 0);
  const [first, another] = withRows;
  if (first === undefined) return sumOfAmounts(currency, taxTotals, ({ amount }) => amount);
  const rows = withRows.flatMap((total) => subtotalsIn(total, currency));
  const ofVat = rows.filter(isOfVat);
  const stated = another === undefined && ofVat.length === rows.length ? within(first.amount, currency) : null;
  const ofRows = stated === null ? ofVat.map(({ tax }) => tax) : [stated];
  const others = countedTaxTotals(content).filter((total) => subtotalsIn(total, currency).length === 0);
  if (stated !== null && others.length === 0) return stated.value;
  return sumOfAmounts(currency, [...ofRows, ...others.map(({ amount }) => amount)], (amount) => amount);
}

function subtotalsIn({ subtotals }: TaxTotal, currency: string | null): readonly TaxSubtotal[] {
  return subtotals.filter(({ tax, taxable }) => within(tax ?? taxable, currency) !== null);
}

function reasonOf(category: TaxCategory | null): string | null {
  return category?.exemptionReason ?? category?.exemptionReasonCode ?? null;
}

/** The reason that all lines and charges of a VAT category at a rate state, where one row stands for them. */
function createReasonOfItems(
  rows: readonly TaxSubtotal[],
  { lines, allowanceCharges }: InvoiceContent,
): (category: TaxCategory | null) => string | null {
  const ofVat = (categories: readonly TaxCategory[]) => categories.filter(({ scheme }) => isVat(scheme));
  const ofLines = lines.map(({ item }) => ofVat(item.taxCategories));
  // A line without a category of its own may belong to any; a charge without one has that of all lines.
  const isComplete = ofLines.every(({ length }) => length > 0);
  const charges = allowanceCharges.filter(isCharged);
  const ofCharges = charges.flatMap(({ taxCategories }) => ofVat(taxCategories));
  const reasons = Map.groupBy([...ofLines.flat(), ...ofCharges], rateKey);
  const ofRate = Map.groupBy(rows.filter(isOfVat), ({ category }) => rateKey(category));
  return (category) => {
    const key = rateKey(category);
    if (!isComplete || !isVat(category?.scheme ?? null) || ofRate.get(key)?.length !== 1) return null;
    const [only = null, another] = new Set(reasons.get(key)?.map(reasonOf));
    return another === undefined ? only : null;
  };
}

/** What is registered as an item of its own: a negative allowance is a charge, and the reverse. */
function isCharged({ isCharge, amount }: AllowanceCharge): boolean {
  const stated = parseDecimal(amount?.value ?? '') ?? ZERO;
  return !isZero(stated) && isCharge !== isNegative(stated);
}

/** The same for categories that UBL groups together; a missing rate counts as zero. */
function rateKey(category: TaxCategory | null): string {
  const rate = parseDecimal(category?.percent ?? '') ?? ZERO;
  return JSON.stringify([category?.id ?? null, formatShortest(rate)]);
}

function isOfVat({ category }: TaxSubtotal): boolean {
  return isVat(category?.scheme ?? null);
}

/** Of another tax its name. */
function codeOf(category: TaxCategory | null): string | null {
  if (category === null) return null;
  if (!isVat(category.scheme)) return category.scheme;
  return category.id === STANDARD_RATE ? null : category.id;
}
