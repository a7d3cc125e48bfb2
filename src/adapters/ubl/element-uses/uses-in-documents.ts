import { ANY_OTHER, type ElementUse, leftOut, row, uses } from './element-use.ts';
import { DOCUMENT_ALLOWANCE, LINE, TAX_TOTAL } from './uses-in-lines.ts';
import { CUSTOMER, DELIVERY_ADDRESS, SUPPLIER } from './uses-in-parties.ts';

const REFERENCE_DETAIL = leftOut('reference-detail');
const DELIVERY_DETAIL = leftOut('delivery-detail');
const PAYMENT_DETAIL = leftOut('payment-detail');
const ACCOUNT = leftOut('account');

const REFERENCE_DETAILS = [
  ...['cbc:DocumentDescription', 'cbc:DocumentType', 'cbc:DocumentStatusCode', 'cbc:IssueTime', 'cbc:XPath'],
  ...['cac:ValidityPeriod', 'cac:IssuerParty', 'cac:ResultOfVerification', 'cbc:CustomerReference'],
];
const ABOUT_THE_FILE = ['cbc:CopyIndicator', 'cbc:LanguageID', 'cbc:LocaleCode', 'cbc:VersionID', 'cbc:OrderTypeCode'];

const REFERENCE = uses(
  row('sent', 'cbc:ID', 'cbc:IssueDate'),
  row('replaced', 'cbc:DocumentTypeCode'),
  row('says-nothing', 'cbc:UUID', ...ABOUT_THE_FILE),
  row(leftOut('attachment'), 'cac:Attachment'),
  row(REFERENCE_DETAIL, ...REFERENCE_DETAILS),
);

const ORDER = uses(
  [...REFERENCE],
  row(leftOut('sales-order'), 'cbc:SalesOrderID'),
  row(REFERENCE_DETAIL, 'cac:DocumentReference'),
);

const ADDITIONAL_REFERENCE = uses([...REFERENCE], row('decides', 'cbc:DocumentTypeCode'));

const EARLIER_INVOICE = uses([...REFERENCE], row('sent', 'cbc:UUID'));

const BILLING = uses(
  row(
    EARLIER_INVOICE,
    ...['cac:InvoiceDocumentReference', 'cac:CreditNoteDocumentReference', 'cac:DebitNoteDocumentReference'],
  ),
  row(REFERENCE_DETAIL, 'cac:SelfBilledInvoiceDocumentReference', 'cac:SelfBilledCreditNoteDocumentReference'),
  row(REFERENCE_DETAIL, 'cac:ReminderDocumentReference', 'cac:AdditionalDocumentReference', 'cac:BillingReferenceLine'),
);

const DELIVERY = uses(
  row('sent', 'cbc:ActualDeliveryDate'),
  row(
    uses(
      row('sent', 'cbc:ID', 'cbc:Name'),
      // Takes the place of the name.
      row('decides', 'cbc:Description'),
      row(DELIVERY_ADDRESS, 'cac:Address'),
      row(DELIVERY_DETAIL, 'cbc:Conditions', 'cbc:CountrySubentity', 'cbc:LocationTypeCode', 'cac:LocationCoordinate'),
    ),
    'cac:DeliveryLocation',
  ),
  row(DELIVERY_ADDRESS, 'cac:DeliveryAddress'),
  row(
    uses(
      row(uses(row('sent', 'cbc:Name')), 'cac:PartyName'),
      row(uses(row('sent', 'cbc:RegistrationName'), row(DELIVERY_DETAIL, ANY_OTHER)), 'cac:PartyLegalEntity'),
      row(
        uses(row('sent', 'cbc:FirstName', 'cbc:MiddleName', 'cbc:FamilyName'), row(DELIVERY_DETAIL, ANY_OTHER)),
        'cac:Person',
      ),
      row(DELIVERY_DETAIL, ANY_OTHER),
    ),
    'cac:DeliveryParty',
  ),
  row(deliveryTerms(), 'cac:DeliveryTerms'),
  row(
    DELIVERY_DETAIL,
    'cbc:ID',
    'cbc:Quantity',
    'cbc:MinimumQuantity',
    'cbc:MaximumQuantity',
    'cbc:ActualDeliveryTime',
  ),
  row(DELIVERY_DETAIL, 'cbc:LatestDeliveryDate', 'cbc:LatestDeliveryTime', 'cbc:TrackingID', 'cbc:ReleaseID'),
  row(DELIVERY_DETAIL, 'cac:AlternativeDeliveryLocation', 'cac:RequestedDeliveryPeriod', 'cac:EstimatedDeliveryPeriod'),
  row(DELIVERY_DETAIL, 'cac:PromisedDeliveryPeriod', 'cac:CarrierParty', 'cac:NotifyParty', 'cac:Despatch'),
  row(DELIVERY_DETAIL, 'cac:MinimumDeliveryUnit', 'cac:MaximumDeliveryUnit', 'cac:Shipment'),
);

function deliveryTerms(): ElementUse {
  return uses(
    row('decides', 'cbc:SpecialTerms'),
    row(DELIVERY_DETAIL, 'cbc:ID', 'cbc:LossRisk', 'cbc:LossRiskResponsibilityCode', 'cbc:Amount'),
    row(DELIVERY_DETAIL, 'cac:DeliveryLocation', 'cac:AllowanceCharge'),
  );
}

const PAYMENT_MEANS = uses(
  row('decides', 'cbc:PaymentMeansCode'),
  row('sent', 'cbc:PaymentDueDate', 'cbc:InstructionNote', 'cbc:PaymentID'),
  row('says-nothing', 'cbc:ID', 'cbc:PaymentChannelCode', 'cbc:InstructionID'),
  row(ACCOUNT, 'cac:PayeeFinancialAccount', 'cac:PayerFinancialAccount', 'cac:CardAccount', 'cac:PaymentMandate'),
  row(ACCOUNT, 'cac:CreditAccount'),
  row(PAYMENT_DETAIL, 'cac:TradeFinancing'),
);

const PAYMENT_TERMS = uses(
  row('sent', 'cbc:Note', 'cbc:PaymentDueDate', 'cbc:PenaltySurchargePercent', 'cbc:SettlementDiscountPercent'),
  row(uses(row('sent', 'cbc:DurationMeasure'), row(PAYMENT_DETAIL, ANY_OTHER)), 'cac:SettlementPeriod'),
  row('says-nothing', 'cbc:ID', 'cbc:PaymentMeansID'),
  row(PAYMENT_DETAIL, 'cbc:PrepaidPaymentReferenceID', 'cbc:ReferenceEventCode', 'cbc:Amount', 'cbc:PaymentPercent'),
  row(PAYMENT_DETAIL, 'cbc:SettlementDiscountAmount', 'cbc:PenaltyAmount', 'cbc:PaymentTermsDetailsURI'),
  row(PAYMENT_DETAIL, 'cbc:InstallmentDueDate', 'cbc:InvoicingPartyReference', 'cac:PenaltyPeriod'),
  row(PAYMENT_DETAIL, 'cac:ExchangeRate', 'cac:ValidityPeriod'),
);

const PREPAID_PAYMENT = uses(
  row('sent', 'cbc:ID', 'cbc:PaidAmount', 'cbc:ReceivedDate'),
  row(PAYMENT_DETAIL, 'cbc:PaidDate', 'cbc:PaidTime', 'cbc:InstructionID'),
);

const EXCHANGE_RATE = uses(
  row('decides', 'cbc:SourceCurrencyCode', 'cbc:SourceCurrencyBaseRate', 'cbc:TargetCurrencyCode'),
  row('decides', 'cbc:TargetCurrencyBaseRate', 'cbc:MathematicOperatorCode'),
  row('sent', 'cbc:CalculationRate', 'cbc:Date'),
  row(PAYMENT_DETAIL, 'cbc:ExchangeMarketID', 'cac:ForeignExchangeContract'),
);

const TOTALS = uses(
  row('decides', 'cbc:LineExtensionAmount', 'cbc:TaxExclusiveAmount', 'cbc:TaxInclusiveAmount'),
  row('decides', 'cbc:AllowanceTotalAmount', 'cbc:ChargeTotalAmount', 'cbc:PayableRoundingAmount', 'cbc:PayableAmount'),
  row('sent', 'cbc:PrepaidAmount'),
  row(PAYMENT_DETAIL, 'cbc:PayableAlternativeAmount'),
);

const PERIOD = uses(
  row('sent', 'cbc:StartDate', 'cbc:EndDate'),
  row(leftOut('period-detail'), 'cbc:StartTime', 'cbc:EndTime', 'cbc:DurationMeasure', 'cbc:Description'),
  row(leftOut('period-detail'), 'cbc:DescriptionCode'),
);

/** A signature of the file ends with it: the authority's form is signed anew. */
const EXTENSIONS = uses(
  row(
    uses(
      row(
        uses(row('says-nothing', 'sig:UBLDocumentSignatures'), row(leftOut('extension'), ANY_OTHER)),
        'ext:ExtensionContent',
      ),
      row('says-nothing', ANY_OTHER),
    ),
    'ext:UBLExtension',
  ),
);

/** Every element that a document can have on its first level, and below it what real documents have. */
export const DOCUMENT = uses(
  row('sent', 'cbc:ID', 'cbc:IssueDate', 'cbc:DueDate', 'cbc:TaxPointDate', 'cbc:DocumentCurrencyCode', 'cbc:Note'),
  row('decides', 'cbc:InvoiceTypeCode', 'cbc:CreditNoteTypeCode', 'cbc:ProfileID'),
  // The amounts themselves say in which currency they are.
  row('says-nothing', 'cbc:TaxCurrencyCode', 'cbc:PricingCurrencyCode'),
  row('says-nothing', 'cbc:UBLVersionID', 'cbc:CustomizationID', 'cbc:ProfileExecutionID', 'cbc:UUID', 'cbc:IssueTime'),
  row('says-nothing', 'cbc:LineCountNumeric', 'cac:Signature'),
  row(() => (copy) => (copy.value === 'false' ? 'says-nothing' : leftOut('other')), 'cbc:CopyIndicator'),
  row(PAYMENT_DETAIL, 'cbc:PaymentCurrencyCode', 'cbc:PaymentAlternativeCurrencyCode'),
  row(leftOut('accounting-cost'), 'cbc:AccountingCost', 'cbc:AccountingCostCode'),
  row(leftOut('buyer-reference'), 'cbc:BuyerReference'),
  row(leftOut('discrepancy'), 'cac:DiscrepancyResponse'),
  row(PERIOD, 'cac:InvoicePeriod'),
  row(ORDER, 'cac:OrderReference'),
  row(BILLING, 'cac:BillingReference'),
  row(REFERENCE, 'cac:DespatchDocumentReference', 'cac:ReceiptDocumentReference', 'cac:StatementDocumentReference'),
  row(REFERENCE, 'cac:OriginatorDocumentReference', 'cac:ContractDocumentReference'),
  row(ADDITIONAL_REFERENCE, 'cac:AdditionalDocumentReference'),
  row(leftOut('project'), 'cac:ProjectReference'),
  row(SUPPLIER, 'cac:AccountingSupplierParty'),
  row(CUSTOMER, 'cac:AccountingCustomerParty'),
  row(leftOut('payee'), 'cac:PayeeParty'),
  row(leftOut('tax-representative'), 'cac:TaxRepresentativeParty'),
  row(leftOut('other-party'), 'cac:BuyerCustomerParty', 'cac:SellerSupplierParty'),
  row(() => (_, index) => (index === 0 ? DELIVERY : leftOut('delivery')), 'cac:Delivery'),
  row(deliveryTerms(), 'cac:DeliveryTerms'),
  row(PAYMENT_MEANS, 'cac:PaymentMeans'),
  row(PAYMENT_TERMS, 'cac:PaymentTerms'),
  row(PREPAID_PAYMENT, 'cac:PrepaidPayment'),
  row(EXCHANGE_RATE, 'cac:TaxExchangeRate', 'cac:PricingExchangeRate', 'cac:PaymentExchangeRate'),
  row(EXCHANGE_RATE, 'cac:PaymentAlternativeExchangeRate'),
  row(DOCUMENT_ALLOWANCE, 'cac:AllowanceCharge'),
  row(TAX_TOTAL, 'cac:TaxTotal'),
  row(leftOut('withholding-tax'), 'cac:WithholdingTaxTotal'),
  row(TOTALS, 'cac:LegalMonetaryTotal'),
  row(LINE, 'cac:InvoiceLine', 'cac:CreditNoteLine'),
  row(EXTENSIONS, 'ext:UBLExtensions'),
);
