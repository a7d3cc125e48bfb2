import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent, InvoiceLine, TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { message } from '../../../../domain/messages/message.ts';
import { type Decimal, formatShortest, isNegative, isZero, sum } from '../../../../domain/values/decimal.ts';
import { excerpt, notExpressible, warning } from '../conversion-failure.ts';
import { isCreditOrDebitNote } from '../document-type.ts';
import type { FailureCollector } from '../failure-collector.ts';
import type { MoneyReader } from '../totals/money.ts';
import type { DividedCategories } from '../totals/vat-subtotals.ts';
import { vatCategory } from '../vat/vat-category.ts';
import type { AllowanceIndicator, VatTreatment } from '../vat/vat-treatment.ts';
import { applyAllowanceCharges } from './document-allowances.ts';
import { lineText } from './line-text.ts';
import { priceLine } from './price-line.ts';
import { netOf, type PricedLine } from './priced-line.ts';

type Needs = {
  readonly money: MoneyReader;
  readonly treatmentOf: (category: TaxCategory) => VatTreatment;
  readonly indicatorOf: (category: TaxCategory) => AllowanceIndicator | null;
  readonly dividedOf: (categories: readonly TaxCategory[]) => DividedCategories;
  readonly docType: string;
  /** The VAT categories of the document's subtotals. */
  readonly subtotals: readonly TaxCategory[];
};

export type DocumentLines = {
  /** The sum of the UBL lines, before allowances and charges of the whole document. */
  readonly net: Decimal;
  /** The items of the authority's document, with those allowances and charges. */
  readonly lines: readonly PricedLine[];
};

/** Prices every line, then applies the allowances and charges of the whole document. */
export function documentLines(
  content: InvoiceContent,
  needs: Needs,
  warnings: ConversionWarning[],
  { attempt, endIfAny, found }: FailureCollector,
): DocumentLines {
  const before = found.length;
  const quantityName = content.kind === 'Invoice' ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity';
  const lines = content.lines.flatMap(
    (line) => attempt(() => pricedLine(line, `${line.path}/${quantityName}`, needs, warnings)) ?? [],
  );
  endIfAny(before);
  if (lines.length === 0) notExpressible(message('lines-missing'), `${content.path}/cac:${content.kind}Line`);
  return {
    net: sum(lines.map(netOf)),
    lines: applyAllowanceCharges(lines, content.allowanceCharges, { ...needs, warnings }),
  };
}

function pricedLine(
  line: InvoiceLine,
  quantityPath: string,
  needs: Needs,
  warnings: ConversionWarning[],
): PricedLine | null {
  const isNote = isCreditOrDebitNote(needs.docType);
  const pricing = priceLine(line, { quantityPath, isNote }, needs.money, warnings);
  if (isNegative(pricing.quantity)) checkNegativeQuantity(pricing.quantity, quantityPath, isNote, warnings);
  if (isZero(pricing.quantity)) {
    warnings.push(warning('LINE-LEFT-OUT', message('line-left-out'), line.path));
    return null;
  }
  const category = categoryOf(line, needs.subtotals);
  const treatment = needs.treatmentOf(category);
  return { path: line.path, ...pricing, category, treatment, text: lineText(line, warnings) };
}

/** Credit and debit notes hold positive quantities only. Whether an invoice may hold a returned item is not documented. */
function checkNegativeQuantity(
  quantity: Decimal,
  quantityPath: string,
  isNote: boolean,
  warnings: ConversionWarning[],
): void {
  if (isNote)
    notExpressible(message('quantity-negative-on-note', { quantity: formatShortest(quantity) }), quantityPath);
  warnings.push(warning('QUANTITY-NEGATIVE', message('quantity-negative'), quantityPath));
}

/** A line without tax categories takes the VAT category of the document's subtotals, if there is exactly one. */
function categoryOf({ item }: InvoiceLine, subtotals: readonly TaxCategory[]): TaxCategory {
  const elementPath = `${item.path}/cac:ClassifiedTaxCategory`;
  const [only, another] = item.taxCategories.length === 0 ? subtotals : [];
  const common = another === undefined ? only : undefined;
  return vatCategory(item.taxCategories, elementPath) ?? common ?? refuseWithoutVat(item.taxCategories, elementPath);
}

/** Where a category is stated, what is missing is the name of the tax: some software has one of its own for VAT. */
function refuseWithoutVat([stated]: readonly TaxCategory[], elementPath: string): never {
  if (stated === undefined) return notExpressible(message('vat-category-missing'), elementPath);
  const other = message('vat-category-of-other-tax', { tax: excerpt(stated.scheme ?? '') });
  return notExpressible(other, `${stated.path}/cac:TaxScheme/cbc:ID`);
}
