import type { InvoiceContent, TaxCategory, TaxSubtotal } from '../../../../domain/documents/invoice-content.ts';
import { isVat } from '../../../../domain/invoices/stated-codes.ts';
import { countedTaxTotals } from '../../../../domain/invoices/stated-totals.ts';
import { message } from '../../../../domain/messages/message.ts';
import { type Decimal, isZero, sum, ZERO } from '../../../../domain/values/decimal.ts';
import { categoryKey, namedCategory } from '../vat/vat-category.ts';
import type { MoneyReader } from './money.ts';
import { shownAmount, totalsMismatch } from './totals-mismatch.ts';

/** What the document states for the lines of one tax category. */
export type StatedVat = {
  readonly path: string;
  /** Null if a subtotal does not state it. */
  readonly taxable: Decimal | null;
  readonly vat: Decimal;
  /** What each subtotal states. */
  readonly parts: readonly StatedPart[];
};

type StatedPart = { readonly taxable: Decimal | null; readonly vat: Decimal };

/** A subtotal, with the key of the tax category of its lines. */
export type StatedSubtotal = StatedVat & { readonly key: string; readonly category: TaxCategory | null };

/** What a document states for each tax indicator of a category. */
export type DividedCategory = ReadonlyMap<string, StatedVat & { readonly category: TaxCategory | null }>;

/** By the key of the category; only those with subtotals of different codes, or notes of different indicators. */
export type DividedCategories = ReadonlyMap<string, DividedCategory>;

/** The subtotals of VAT. One of a category that is not among those of the lines makes the conversion fail. */
export function statedSubtotals(
  content: InvoiceContent,
  categories: readonly TaxCategory[],
  money: MoneyReader,
  currency: string,
): readonly StatedSubtotal[] {
  const keyOf = createCategoryMatching(categories);
  const all = content.taxTotals.flatMap(({ subtotals }) => subtotals);
  return all.flatMap((subtotal) => {
    if (!isStatedVat(subtotal, currency)) return [];
    const own = readSubtotal(subtotal, money);
    const { category } = subtotal;
    const key = keyOf(category);
    if (key === 'none') refuseWithoutLines(subtotal, own);
    return key === 'none' || key === 'several' ? [] : { ...own, key, category };
  });
}

/** The VAT of the whole document as it is stated in its currency, in one tax total or in parts. */
export function statedTotal(
  content: InvoiceContent,
  money: MoneyReader,
): { readonly path: string; readonly vat: Decimal; readonly parts: readonly Decimal[] } | null {
  const counted = countedTaxTotals(content);
  const [first] = counted;
  if (first === undefined) return null;
  const parts = counted.flatMap(({ amount, path }) => (amount === null ? [] : money(amount, `${path}/cbc:TaxAmount`)));
  return { path: `${first.path}/cbc:TaxAmount`, vat: sum(parts), parts };
}

/** The stated VAT by the key of its tax category. */
export function statedVat(subtotals: readonly StatedSubtotal[]): ReadonlyMap<string, StatedVat> {
  const stated = Map.groupBy(subtotals, ({ key }) => key);
  return new Map([...stated].map(([key, own]) => [key, together(own)]));
}

/** A subtotal whose indicator is unknown could be that of any lines: its category then counts as one. */
export function dividedCategories(
  subtotals: readonly StatedSubtotal[],
  indicatorOf: (category: TaxCategory) => string | null,
): DividedCategories {
  const divided = new Map<string, DividedCategory>();
  for (const [key, ofCategory] of Map.groupBy(subtotals, (one) => one.key)) {
    const codes = new Set(ofCategory.map(({ category }) => category?.exemptionReasonCode ?? null));
    const byIndicator = Map.groupBy(ofCategory, ({ category }) => category && indicatorOf(category));
    if (byIndicator.has(null) || (codes.size < 2 && byIndicator.size < 2)) continue;
    const known = [...byIndicator].flatMap(([indicator, own]) =>
      indicator === null ? [] : [[indicator, { ...together(own), category: own[0]?.category ?? null }] as const],
    );
    divided.set(key, new Map(known));
  }
  return divided;
}

function isStatedVat({ category, tax }: TaxSubtotal, currency: string): boolean {
  return tax !== null && isVat(category?.scheme ?? null) && (tax.currency ?? currency) === currency;
}

function readSubtotal({ path, taxable, tax }: TaxSubtotal, money: MoneyReader): StatedVat {
  const stated = {
    taxable: taxable === null ? null : money(taxable, `${path}/cbc:TaxableAmount`),
    vat: tax === null ? ZERO : money(tax, `${path}/cbc:TaxAmount`),
  };
  return { path, ...stated, parts: [stated] };
}

/** What subtotals state for the same lines. */
function together(subtotals: readonly StatedVat[]): StatedVat {
  const parts = subtotals.flatMap((one) => one.parts);
  const taxable = taxableParts(parts);
  return {
    path: subtotals[0]?.path ?? '/',
    taxable: taxable.length < parts.length ? null : sum(taxable),
    vat: sum(parts.map(({ vat }) => vat)),
    parts,
  };
}

export function taxableParts(parts: readonly StatedPart[]): readonly Decimal[] {
  return parts.flatMap(({ taxable }) => taxable ?? []);
}

/**
 * Finds the key of the lines that a subtotal stands for. One that leaves out its category or its rate stands for the only lines
 * that fit; where several fit, the total of the VAT is checked alone.
 */
function createCategoryMatching(
  categories: readonly TaxCategory[],
): (category: TaxCategory | null) => string | 'none' | 'several' {
  const byId = Map.groupBy(new Map(categories.map((one) => [categoryKey(one), one])).values(), ({ id }) => id);
  const keys = new Set(categories.map(categoryKey));
  const onlyOf = (found: readonly string[]) => (found.length > 1 ? 'several' : (found[0] ?? 'none'));
  return (category) => {
    if (category === null || category.id === null) return onlyOf([...keys]);
    const key = categoryKey(category);
    if (keys.has(key)) return key;
    return category.percent === null ? onlyOf((byId.get(category.id) ?? []).map(categoryKey)) : 'none';
  };
}

function refuseWithoutLines({ category, path }: TaxSubtotal, { taxable, vat }: StatedVat): void {
  if (isZero(vat) && (taxable === null || isZero(taxable))) return;
  const values = { ...namedCategory(category), vat: shownAmount(vat) };
  if (taxable === null) totalsMismatch(message('category-without-lines', values), path);
  totalsMismatch(message('category-with-base-without-lines', { ...values, taxable: shownAmount(taxable) }), path);
}
