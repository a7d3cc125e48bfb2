import type { InvoiceContent, InvoiceLine, TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { type Decimal, isNegative, isZero } from '../../../../domain/values/decimal.ts';
import { located, notExpressible } from '../conversion-failure.ts';
import { isNote } from '../document-type.ts';
import { checkLine } from '../totals/check-totals.ts';
import type { MoneyReader } from '../totals/money.ts';
import { vatCategory } from '../vat/vat-category.ts';
import type { VatTreatment } from '../vat/vat-treatment.ts';
import { applyAllowanceCharges } from './document-allowances.ts';
import { lineText } from './line-text.ts';
import { netOf, type PricedLine, priceLine } from './priced-line.ts';

type Needs = {
  readonly money: MoneyReader;
  readonly treatmentOf: (category: TaxCategory) => VatTreatment;
  readonly docType: string;
  /** The VAT categories of the document's subtotals. */
  readonly subtotals: readonly TaxCategory[];
};

export type PricedDocument = {
  /** What the lines of the document come to before its own allowances and charges. */
  readonly lineNets: readonly Decimal[];
  readonly rows: readonly PricedLine[];
};

/** The rows of the authority's document: the lines, with the document's allowances taken off and its charges added. */
export function pricedLines(content: InvoiceContent, needs: Needs, warnings: string[]): PricedDocument {
  const quantityName = content.kind === 'Invoice' ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity';
  const lines = content.lines.flatMap(
    (line) => pricedLine(line, `${line.path}/${quantityName}`, needs, warnings) ?? [],
  );
  if (lines.length === 0)
    notExpressible('The document has no line with a quantity', `${content.path}/cac:${content.kind}Line`);
  return {
    lineNets: lines.map(netOf),
    rows: applyAllowanceCharges(lines, content.allowanceCharges, needs),
  };
}

/** Credit and debit notes are positive throughout; of a returned item on an invoice the authority says nothing. */
function judgeNegative(quantityPath: string, docType: string, warnings: string[]): void {
  if (isNote(docType)) notExpressible('The quantity is negative, and a note states positive ones only', quantityPath);
  warnings.push(located('The quantity is negative, which the authority may refuse', quantityPath));
}

function pricedLine(line: InvoiceLine, quantityPath: string, needs: Needs, warnings: string[]): PricedLine | null {
  const pricing = priceLine(line, quantityPath, needs.money);
  checkLine(line, netOf(pricing), needs.money);
  if (isNegative(pricing.quantity)) judgeNegative(quantityPath, needs.docType, warnings);
  if (isZero(pricing.quantity)) {
    warnings.push(located('The line has the quantity 0 and was left out', line.path));
    return null;
  }
  const category = categoryOf(line, needs.subtotals);
  const treatment = needs.treatmentOf(category);
  return { path: line.path, ...pricing, category, treatment, text: lineText(line) };
}

/** A line that states no tax at all is taxed as the whole document, where that is taxed in one way. */
function categoryOf({ item }: InvoiceLine, subtotals: readonly TaxCategory[]): TaxCategory {
  const place = `${item.path}/cac:ClassifiedTaxCategory`;
  const [only, another] = item.taxCategories.length === 0 ? subtotals : [];
  const common = another === undefined ? only : undefined;
  return vatCategory(item.taxCategories, place) ?? common ?? notExpressible('The line has no VAT category', place);
}
