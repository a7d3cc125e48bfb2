import { DOMESTIC_PRODUCT_PROPERTY, TARIFF_LIST } from '../../../domain/documents/item-marks.ts';
import { isNegative, isZero, parseDecimal } from '../../../domain/values/decimal.ts';
import type { ContentElement } from '../content/content-of-element.ts';
import { isCharge } from '../content/content-of-taxes.ts';
import { type ElementUse, type ElementUses, leftOut, row, type UseOfOne, uses } from './element-use.ts';
import { TAX_SCHEME } from './uses-in-parties.ts';

const TAX_DETAIL = leftOut('tax-detail');
const ALLOWANCE_DETAIL = leftOut('allowance-detail');
const ITEM_DETAIL = leftOut('item-detail');
const LINE_REFERENCE = leftOut('line-reference');

/** The VAT row repeats the note of the indicator letter for letter (E1032): no text of the issuer's has a place in it. */
const TAX_CATEGORY = uses(
  row('decides', 'cbc:ID', 'cbc:Percent', 'cbc:TaxExemptionReasonCode'),
  row('replaced', 'cbc:Name'),
  row(exemptionReason, 'cbc:TaxExemptionReason'),
  row(TAX_SCHEME, 'cac:TaxScheme'),
  row(TAX_DETAIL, 'cbc:BaseUnitMeasure', 'cbc:PerUnitAmount', 'cbc:TierRange', 'cbc:TierRatePercent'),
);

/** Without a code it may be the note of an indicator, which then is the one of the supply. */
function exemptionReason(category: ContentElement): UseOfOne {
  const use = category.text('cbc:TaxExemptionReasonCode') === null ? 'decides' : 'replaced';
  return () => use;
}

function taxTotal(amounts: ElementUse): ElementUses {
  return uses(
    row(amounts, 'cbc:TaxAmount'),
    row(TAX_DETAIL, 'cbc:RoundingAmount'),
    row('says-nothing', 'cbc:TaxEvidenceIndicator', 'cbc:TaxIncludedIndicator'),
    row(
      uses(
        row(amounts, 'cbc:TaxableAmount', 'cbc:TaxAmount'),
        row(TAX_CATEGORY, 'cac:TaxCategory'),
        row('says-nothing', 'cbc:Percent', 'cbc:CalculationSequenceNumeric'),
        row(TAX_DETAIL, 'cbc:BaseUnitMeasure', 'cbc:PerUnitAmount', 'cbc:TransactionCurrencyTaxAmount'),
        row(TAX_DETAIL, 'cbc:TierRange', 'cbc:TierRatePercent'),
      ),
      'cac:TaxSubtotal',
    ),
  );
}

export const TAX_TOTAL = taxTotal('decides');

/** The VAT of a line follows from its category and the totals of the document. */
const LINE_TAX_TOTAL = taxTotal('says-nothing');

function allowanceCharge(reason: ElementUse, category: ElementUse): ElementUses {
  return uses(
    row('decides', 'cbc:ChargeIndicator'),
    row('sent', 'cbc:Amount'),
    row(reason, 'cbc:AllowanceChargeReason'),
    row(category, 'cac:TaxCategory'),
    row('says-nothing', 'cbc:ID', 'cbc:SequenceNumeric'),
    row(ALLOWANCE_DETAIL, 'cbc:AllowanceChargeReasonCode', 'cbc:MultiplierFactorNumeric', 'cbc:BaseAmount'),
    row(ALLOWANCE_DETAIL, 'cbc:PerUnitAmount', 'cac:PaymentMeans'),
    row(TAX_DETAIL, 'cac:TaxTotal'),
    row(leftOut('accounting-cost'), 'cbc:AccountingCost', 'cbc:AccountingCostCode'),
  );
}

/** A charge of the document is sent as an item of its own, which its reason describes. */
export const DOCUMENT_ALLOWANCE = allowanceCharge((allowance) => {
  const sent = becomesItem(allowance) ? allowance.firstNonBlank('cbc:AllowanceChargeReason') : null;
  return ({ path }) => (path === sent?.path ? 'sent' : ALLOWANCE_DETAIL);
}, TAX_CATEGORY);

/** A negative allowance is a charge, and the reverse; of nothing there is no item. */
function becomesItem(allowance: ContentElement): boolean {
  const amount = parseDecimal(allowance.text('cbc:Amount') ?? '');
  return amount !== null && !isZero(amount) && isCharge(allowance) !== isNegative(amount);
}

const LINE_ALLOWANCE = allowanceCharge(ALLOWANCE_DETAIL, 'says-nothing');

/** What it is based on, the price before the allowance, follows from the price; one that does not has a warning of its own. */
const PRICE_ALLOWANCE = uses(
  row('decides', 'cbc:ChargeIndicator', 'cbc:BaseAmount'),
  row('sent', 'cbc:Amount'),
  row('says-nothing', 'cbc:MultiplierFactorNumeric', 'cbc:ID', 'cbc:SequenceNumeric'),
  row(ALLOWANCE_DETAIL, 'cbc:AllowanceChargeReason', 'cbc:AllowanceChargeReasonCode'),
);

const PRICE = uses(
  row('sent', 'cbc:PriceAmount'),
  row('decides', 'cbc:BaseQuantity'),
  row(PRICE_ALLOWANCE, 'cac:AllowanceCharge'),
  row(leftOut('price-detail'), 'cbc:OrderableUnitFactorRate', 'cbc:PriceChangeReason', 'cbc:PriceTypeCode'),
  row(leftOut('price-detail'), 'cbc:PriceType', 'cac:ValidityPeriod', 'cac:PriceList', 'cac:PricingExchangeRate'),
);

const ITEM_CODE = uses(row('sent', 'cbc:ID'), row(ITEM_DETAIL, 'cbc:ExtendedID', 'cac:IssuerParty'));

const ITEM = uses(
  row('sent', 'cbc:Name'),
  // Beside a name it has a warning of its own.
  row('decides', 'cbc:Description'),
  row(ITEM_CODE, 'cac:SellersItemIdentification', 'cac:BuyersItemIdentification', 'cac:StandardItemIdentification'),
  row(TAX_CATEGORY, 'cac:ClassifiedTaxCategory'),
  row(originCountry, 'cac:OriginCountry'),
  row(() => (property) => (isDomesticMark(property) ? 'decides' : ITEM_DETAIL), 'cac:AdditionalItemProperty'),
  row(
    uses(
      row(
        () => (code) => (code.attribute('listID') === TARIFF_LIST ? 'sent' : ITEM_DETAIL),
        'cbc:ItemClassificationCode',
      ),
      row(ITEM_DETAIL, 'cbc:CommodityCode', 'cbc:NatureCode', 'cbc:CargoTypeCode'),
    ),
    'cac:CommodityClassification',
  ),
  row(
    ITEM_DETAIL,
    'cbc:AdditionalInformation',
    'cbc:BrandName',
    'cbc:ModelName',
    'cbc:Keyword',
    'cbc:CatalogueIndicator',
  ),
  row(ITEM_DETAIL, 'cbc:PackQuantity', 'cbc:PackSizeNumeric', 'cbc:HazardousRiskIndicator'),
  row(ITEM_DETAIL, 'cac:ManufacturersItemIdentification', 'cac:CatalogueItemIdentification'),
  row(ITEM_DETAIL, 'cac:AdditionalItemIdentification', 'cac:ItemSpecificationDocumentReference', 'cac:Certificate'),
  row(ITEM_DETAIL, 'cac:CatalogueDocumentReference', 'cac:TransactionConditions', 'cac:HazardousItem'),
  row(ITEM_DETAIL, 'cac:ManufacturerParty', 'cac:InformationContentProviderParty', 'cac:OriginAddress'),
  row(ITEM_DETAIL, 'cac:ItemInstance', 'cac:Dimension'),
);

/** An item counts as a product of North Macedonia only if the issuer asks for it. */
function originCountry(item: ContentElement): UseOfOne {
  const use = item.children('cac:AdditionalItemProperty').some(isDomesticMark) ? 'decides' : ITEM_DETAIL;
  return () => use;
}

function isDomesticMark(property: ContentElement): boolean {
  return property.text('cbc:Name') === DOMESTIC_PRODUCT_PROPERTY;
}

export const LINE = uses(
  // Lines are numbered by their order.
  row('replaced', 'cbc:ID'),
  row('says-nothing', 'cbc:UUID', 'cac:ItemPriceExtension'),
  row('sent', 'cbc:InvoicedQuantity', 'cbc:CreditedQuantity', 'cbc:LineExtensionAmount'),
  row(ITEM, 'cac:Item'),
  row(PRICE, 'cac:Price'),
  row(LINE_ALLOWANCE, 'cac:AllowanceCharge'),
  row(LINE_TAX_TOTAL, 'cac:TaxTotal'),
  row(leftOut('line-note'), 'cbc:Note'),
  row(leftOut('accounting-cost'), 'cbc:AccountingCost', 'cbc:AccountingCostCode', 'cbc:PaymentPurposeCode'),
  row(leftOut('line-period'), 'cac:InvoicePeriod', 'cbc:TaxPointDate'),
  row(LINE_REFERENCE, 'cac:OrderLineReference', 'cac:DespatchLineReference', 'cac:ReceiptLineReference'),
  row(LINE_REFERENCE, 'cac:BillingReference', 'cac:DocumentReference'),
  row(leftOut('line-delivery'), 'cac:Delivery', 'cac:DeliveryTerms', 'cac:OriginatorParty'),
  row(leftOut('price-detail'), 'cac:PricingReference', 'cbc:FreeOfChargeIndicator', 'cac:PaymentTerms'),
  row(leftOut('discrepancy'), 'cac:DiscrepancyResponse'),
  row(leftOut('withholding-tax'), 'cac:WithholdingTaxTotal'),
  row(leftOut('sub-line'), 'cac:SubInvoiceLine', 'cac:SubCreditNoteLine'),
);
