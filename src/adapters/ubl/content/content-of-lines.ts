import type { InvoiceLine, LineItem, LinePrice, TaxCategory } from '../../../domain/documents/invoice-content.ts';
import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import { isVat } from '../../../domain/invoices/stated-codes.ts';
import { formatShortest, parseDecimal } from '../../../domain/values/decimal.ts';
import type { ContentElement } from './content-of-element.ts';
import { allowanceChargesContent, isCharge, taxCategoryContent } from './content-of-taxes.ts';

const QUANTITIES: Readonly<Record<DocumentKind, string>> = {
  Invoice: 'cbc:InvoicedQuantity',
  CreditNote: 'cbc:CreditedQuantity',
};

/** Each is read when it is its turn. */
export function* linesContent(document: ContentElement, kind: DocumentKind): Generator<InvoiceLine> {
  for (const line of document.eachChild(`cac:${kind}Line`)) yield lineContent(line, kind);
}

function lineContent(line: ContentElement, kind: DocumentKind): InvoiceLine {
  return {
    path: line.path,
    id: line.text('cbc:ID'),
    quantity: line.quantity(QUANTITIES[kind]),
    lineExtension: line.amount('cbc:LineExtensionAmount'),
    allowanceCharges: allowanceChargesContent(line),
    price: priceContent(line),
    item: itemContent(line),
  };
}

function listPrice(price: ContentElement): LinePrice['listPrice'] {
  for (const allowance of price.children('cac:AllowanceCharge')) {
    const base = isCharge(allowance) ? null : allowance.firstNonBlank('cbc:BaseAmount');
    if (base !== null && base.value !== null) return { path: base.path, value: base.value };
  }
  return null;
}

function priceContent(line: ContentElement): LinePrice | null {
  const price = line.child('cac:Price');
  if (price === null) return null;
  return {
    path: price.path,
    amount: price.amount('cbc:PriceAmount'),
    baseQuantity: price.quantity('cbc:BaseQuantity'),
    listPrice: listPrice(price),
    allowanceCharges: allowanceChargesContent(price),
  };
}

function itemContent(line: ContentElement): LineItem {
  const item = line.child('cac:Item');
  return {
    path: item?.path ?? `${line.path}/cac:Item`,
    name: item?.text('cbc:Name') ?? null,
    descriptions: item?.texts('cbc:Description') ?? [],
    sellersId: item?.text('cac:SellersItemIdentification', 'cbc:ID') ?? null,
    buyersId: item?.text('cac:BuyersItemIdentification', 'cbc:ID') ?? null,
    standardId: item?.text('cac:StandardItemIdentification', 'cbc:ID') ?? null,
    originCountry: item?.text('cac:OriginCountry', 'cbc:IdentificationCode')?.toUpperCase() ?? null,
    classifications: item === null ? [] : classifications(item),
    properties: item === null ? [] : properties(item),
    taxCategories: lineTaxCategories(line, item),
  };
}

/** The categories of the item, each with the rate and the reason that the line's own subtotals state, where it states none itself. */
function lineTaxCategories(line: ContentElement, item: ContentElement | null): readonly TaxCategory[] {
  const ofSubtotals = line
    .children('cac:TaxTotal')
    .flatMap((total) => total.children('cac:TaxSubtotal'))
    .flatMap((subtotal) => subtotal.child('cac:TaxCategory') ?? [])
    .map(taxCategoryContent);
  const classified = (item?.children('cac:ClassifiedTaxCategory') ?? []).map(taxCategoryContent);
  if (classified.length === 0) return ofSubtotals;
  const stated = new Map(
    [...Map.groupBy(ofSubtotals, taxOf)].map(([tax, same]) => [
      tax,
      { percent: onlyOf(same, rateOf)?.percent ?? null, withReason: onlyOf(same, reasonOf) },
    ]),
  );
  return classified.map((one) => {
    const ofSameTax = stated.get(taxOf(one));
    const percent = one.percent ?? ofSameTax?.percent ?? null;
    return { ...(reasonOf(one) === null ? (ofSameTax?.withReason ?? one) : one), percent };
  });
}

/** The same for 18 and 18.00. */
function rateOf({ percent }: TaxCategory): string | null {
  const rate = parseDecimal(percent ?? '');
  return rate === null ? percent : formatShortest(rate);
}

function reasonOf({ exemptionReasonCode, exemptionReason }: TaxCategory): string | null {
  return exemptionReasonCode ?? exemptionReason;
}

/** The first of those that state a text, if all of these state the same: of several it cannot be told which one is meant. */
function onlyOf(categories: readonly TaxCategory[], textOf: (one: TaxCategory) => string | null): TaxCategory | null {
  const stating = categories.filter((one) => textOf(one) !== null);
  return new Set(stating.map(textOf)).size === 1 ? (stating[0] ?? null) : null;
}

/** A category of a tax, as a key. VAT has several names, and is meant where none is stated. */
function taxOf({ id, scheme }: TaxCategory): string {
  return JSON.stringify([id, isVat(scheme) ? null : scheme]);
}

function classifications(item: ContentElement): LineItem['classifications'] {
  return item.children('cac:CommodityClassification').flatMap((classification) => {
    const code = classification.firstNonBlank('cbc:ItemClassificationCode');
    const text = code?.value ?? null;
    return text === null ? [] : [{ code: text, list: code?.attribute('listID') ?? null }];
  });
}

function properties(item: ContentElement): LineItem['properties'] {
  return item.children('cac:AdditionalItemProperty').flatMap((property) => {
    const [name, value] = [property.text('cbc:Name'), property.text('cbc:Value')];
    return name === null || value === null ? [] : [{ name, value }];
  });
}
