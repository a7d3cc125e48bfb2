/**
 * The authority's members that an element is sent in, or decides about, by the end of the element's path; `{role}` is seller or buyer. Every
 * element that is sent or decides has a row, and every row is used: else the page is not made. A test changes each element and looks
 * which members change.
 */
export const MEMBERS_OF_ELEMENTS: Readonly<Record<string, string>> = {
  'Invoice/cbc:ID': '`docNumber`',
  'Invoice/cbc:IssueDate': '`docDate`',
  'Invoice/cbc:DueDate': '`docPaymentTypeDueDate`, where no `PaymentMeans` has one',
  'Invoice/cbc:TaxPointDate': '`docTurnoverDate`',
  'Invoice/cbc:DocumentCurrencyCode': '`docCurrency`, `docCurrencyCode`',
  'Invoice/cbc:Note': '`docNotes`, without directives',
  'cbc:InvoiceTypeCode': '`docType`, `docTypeName`, `docStorno`',
  'cbc:CreditNoteTypeCode': '`docType`, `docTypeName`, `docStorno`',
  'Invoice/cbc:ProfileID': '`docType`, if it is a directive',
  'cac:InvoicePeriod/cbc:StartDate': '`docPeriodStartDate`',
  'cac:InvoicePeriod/cbc:EndDate': '`docPeriodEndDate`',
  'Reference/cbc:ID': '`docNumberRef`',
  'Reference/cbc:IssueDate': '`docDateRef`',
  'Reference/cbc:UUID': '`docNumberRef`: the EUID, if it is one (a UUID of version 7)',
  'AdditionalDocumentReference/cbc:DocumentTypeCode': '`docTypeRef`, `docNameRef`',
  'cac:Party/cbc:EndpointID': '`{role}Tin`, where no element before it in the [order](#parties) states one',
  'cac:PartyIdentification/cbc:ID': '`{role}Tin`, where no element before it in the [order](#parties) states one',
  'cac:PartyTaxScheme/cbc:CompanyID': '`{role}Tin`',
  'cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID': '`buyerTin`; abroad `buyerForeignTin`',
  'cac:PartyTaxScheme/cac:TaxScheme/cbc:ID':
    '`{role}VatNumber`: whether the number is one, where the register does not tell',
  'cac:PartyLegalEntity/cbc:CompanyID': '`{role}Tin`, where no element before it in the [order](#parties) states one',
  'cac:Contact/cbc:Name': '`{role}Contact`',
  'cac:Contact/cbc:Telephone': '`{role}Contact`',
  'cac:Contact/cbc:ElectronicMail': '`{role}Email`',
  'cac:Party/cac:PartyName/cbc:Name': '`buyerName`, where the register has none and no legal name is stated',
  'cac:Party/cac:PartyLegalEntity/cbc:RegistrationName': '`buyerName`, where the register has none',
  'cac:Party/cac:Person/cbc:FirstName': '`buyerName`, where no other name is stated',
  'cac:Party/cac:Person/cbc:MiddleName': '`buyerName`, where no other name is stated',
  'cac:Party/cac:Person/cbc:FamilyName': '`buyerName`, where no other name is stated',
  'cac:PostalAddress/cbc:StreetName': '`streetAddress` of `buyerAddress`, where the register has none',
  'cac:PostalAddress/cbc:BuildingNumber': '`streetNumber`, where the register has none',
  'cac:PostalAddress/cbc:CityName': '`city`, where the register has none',
  'cac:PostalAddress/cbc:PostalZone': '`postalCode`, where the register has none',
  'cac:PostalAddress/cbc:AdditionalStreetName': 'a warning of its own, `ADDRESS-LINE-LEFT-OUT`',
  'cac:PostalAddress/cac:AddressLine': '`streetAddress`, where there is no street; else `ADDRESS-LINE-LEFT-OUT`',
  'cac:Country/cbc:IdentificationCode': '`buyerCCode`, `buyerCName`',
  'cac:Delivery/cbc:ActualDeliveryDate': '`docDeliveryDate`; also `docTurnoverDate` without a tax point',
  'cac:DeliveryLocation/cbc:ID': '`buyerSubsidiaryCode`',
  'cac:DeliveryLocation/cbc:Name': '`docDelivery`; also `buyerSubsidiaryName` without a delivery party',
  'cac:DeliveryLocation/cbc:Description':
    'in place of the name, where there is none; else left out with `DELIVERY-LEFT-OUT`',
  ...deliveryAddress('cac:DeliveryLocation/cac:Address'),
  ...deliveryAddress(
    'cac:DeliveryAddress',
    ', where the location has no address; else left out with `DELIVERY-LEFT-OUT`',
  ),
  'cac:DeliveryParty/cac:PartyName/cbc:Name': '`buyerSubsidiaryName`',
  'cac:DeliveryParty/cac:PartyLegalEntity/cbc:RegistrationName': '`buyerSubsidiaryName`',
  'cac:DeliveryParty/cac:Person/cbc:FirstName': '`buyerSubsidiaryName`',
  'cac:DeliveryParty/cac:Person/cbc:MiddleName': '`buyerSubsidiaryName`',
  'cac:DeliveryParty/cac:Person/cbc:FamilyName': '`buyerSubsidiaryName`',
  'cac:DeliveryTerms/cbc:SpecialTerms':
    '`docDelivery`, where no place is stated; else `DELIVERY-TERMS-LEFT-OUT`. Beyond the first left out with `DELIVERY-LEFT-OUT`',
  'cac:PaymentMeans/cbc:PaymentMeansCode': '`docPaymentTypeCode`, `docPaymentTypeDesc`',
  'cac:PaymentMeans/cbc:PaymentDueDate': '`docPaymentTypeDueDate`',
  'cac:PaymentMeans/cbc:InstructionNote': '`docPaymentNote`',
  'cac:PaymentMeans/cbc:PaymentID': '`docPaymentNote`',
  'cac:PaymentTerms/cbc:Note': '`docPaymentTerms`',
  'cac:PaymentTerms/cbc:PaymentDueDate': '`docPaymentTypeDueDate`, where nothing before states one',
  'cac:PaymentTerms/cbc:PenaltySurchargePercent': '`docPaymentInterest`',
  'cac:PaymentTerms/cbc:SettlementDiscountPercent': '`docPaymentDiscount`',
  'cac:SettlementPeriod/cbc:DurationMeasure':
    '`docPaymentTypeDueDays`; beside a discount left out with `PAYMENT-PERIOD-LEFT-OUT`',
  'cac:PrepaidPayment/cbc:ID':
    '`docAvansDesc`: as many as there is room for; where nothing is prepaid `ELEMENT-LEFT-OUT`',
  'cac:PrepaidPayment/cbc:PaidAmount':
    '`docAvansAmount`, where the totals state none; else compared: a difference is `PREPAID-TOTAL-DIFFERS`; of several the single amounts are left out with `ELEMENT-LEFT-OUT`',
  'cac:PrepaidPayment/cbc:ReceivedDate':
    '`docAvansDate`: the last of them; with others, or where nothing is prepaid, `ELEMENT-LEFT-OUT`',
  'ExchangeRate/cbc:SourceCurrencyCode':
    'whether and in which direction the rate counts; one of other currencies, and any of a document in denars, is left out with `ELEMENT-LEFT-OUT`',
  'ExchangeRate/cbc:SourceCurrencyBaseRate': '`docCurrencyExchRate`',
  'ExchangeRate/cbc:TargetCurrencyCode':
    'whether and in which direction the rate counts; one of other currencies, and any of a document in denars, is left out with `ELEMENT-LEFT-OUT`',
  'ExchangeRate/cbc:TargetCurrencyBaseRate': '`docCurrencyExchRate`',
  'ExchangeRate/cbc:MathematicOperatorCode': '`docCurrencyExchRate`',
  'ExchangeRate/cbc:CalculationRate': '`docCurrencyExchRate`',
  'ExchangeRate/cbc:Date': '`docCurrencyDate`',
  'cac:AllowanceCharge/cbc:ChargeIndicator': 'discount or charge',
  'cac:AllowanceCharge/cbc:Amount': 'see [lines](#lines-and-amounts)',
  'cac:TaxCategory/cbc:ID': '`docItemTaxIndicator`, `docItemVatGroup`, and the row of `vatTotals`',
  'cac:TaxCategory/cbc:Percent': '`docItemVat`, `vatPercent`, and with the category the indicator',
  'cac:TaxCategory/cbc:TaxExemptionReasonCode': '`docItemTaxIndicator`, `vatTaxIndicator`',
  'cac:TaxCategory/cac:TaxScheme/cbc:ID': 'whether it is VAT; another tax is 55',
  'cac:ClassifiedTaxCategory/cbc:ID': '`docItemTaxIndicator`, `docItemVatGroup`, and the row of `vatTotals`',
  'cac:ClassifiedTaxCategory/cbc:Percent': '`docItemVat`, `vatPercent`, and with the category the indicator',
  'cac:ClassifiedTaxCategory/cbc:TaxExemptionReasonCode': '`docItemTaxIndicator`, `vatTaxIndicator`',
  'cac:ClassifiedTaxCategory/cac:TaxScheme/cbc:ID': 'whether it is VAT; another tax is left aside',
  'cac:TaxTotal/cbc:TaxAmount': 'must be `docVatAmount`',
  'cac:TaxSubtotal/cbc:TaxableAmount': 'must be the `vatTaxableAmount` of its category',
  'cac:TaxSubtotal/cbc:TaxAmount': '`vatAmount`, `docVatAmount`',
  'cac:LegalMonetaryTotal/cbc:LineExtensionAmount': 'must be the sum of the lines',
  'cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount': 'must be `docNetAmountDisc`',
  'cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount': 'must be `docGrossAmount`',
  'cac:LegalMonetaryTotal/cbc:AllowanceTotalAmount': 'compared; a difference is `ALLOWANCE-TOTAL-DIFFERS`',
  'cac:LegalMonetaryTotal/cbc:ChargeTotalAmount': 'compared; a difference is `ALLOWANCE-TOTAL-DIFFERS`',
  'cac:LegalMonetaryTotal/cbc:PayableRoundingAmount': 'explains the difference to `docGrossAmountR`',
  'cac:LegalMonetaryTotal/cbc:PayableAmount': 'must be `docFinalAmount`, but for the rounding (`PAYABLE-ROUNDED`)',
  'cac:LegalMonetaryTotal/cbc:PrepaidAmount': '`docAvansAmount`',
  'Line/cbc:InvoicedQuantity': '`docItemQty`; its `@unitCode` `docItemMUnit`',
  'Line/cbc:CreditedQuantity': '`docItemQty`; its `@unitCode` `docItemMUnit`',
  'Line/cbc:LineExtensionAmount': '`docItemTotalPriceWoVat`',
  'cac:Item/cbc:Name': '`docItemDesc`',
  'cac:Item/cbc:Description': '`docItemDesc` without a name; else `ITEM-DESCRIPTION-LEFT-OUT`',
  'cac:SellersItemIdentification/cbc:ID': '`docItemSenderCode`, `docItemSku`',
  'cac:BuyersItemIdentification/cbc:ID': '`docItemReceiverCode`',
  'cac:StandardItemIdentification/cbc:ID': "`docItemSku` without a seller's code; else `ITEM-CODE-LEFT-OUT`",
  'cac:Price/cbc:PriceAmount': '`docItemUnitOriginalPriceWoVat`, `docItemUnitPriceWoVat`',
  'cac:Price/cbc:BaseQuantity': 'for how many units the price is',
  'cac:Price/cac:AllowanceCharge/cbc:ChargeIndicator': 'discount or charge',
  'cac:Price/cac:AllowanceCharge/cbc:Amount': '`docItemUnitDiscountAmount`',
  'cac:Price/cac:AllowanceCharge/cbc:BaseAmount':
    'compared with price and discount: a difference is left out with `ELEMENT-LEFT-OUT`',
  'Line/cac:AllowanceCharge/cbc:ChargeIndicator': 'discount or charge',
  'Line/cac:AllowanceCharge/cbc:Amount':
    '`docItemUnitDiscountAmount`; a charge reduces the discounts of its line, and beyond them raises the price',
};

function deliveryAddress(path: string, condition = ''): Readonly<Record<string, string>> {
  const parts = ['cbc:StreetName', 'cbc:BuildingNumber', 'cbc:CityName', 'cbc:PostalZone', 'cbc:AdditionalStreetName'];
  const all = [...parts, 'cac:AddressLine'];
  const becomes = `\`docDelivery\`, \`buyerSubsidiaryAddress\`${condition}`;
  return Object.fromEntries(all.map((name) => [`${path}/${name}`, becomes]));
}

/** What becomes of elements whose content decides it. */
export const BY_CONTENT: Readonly<Record<string, string>> = {
  'Invoice/cbc:CopyIndicator': 'nothing if it is `false`, else left out with `ELEMENT-LEFT-OUT`',
  'cac:Country/cbc:IdentificationCode': 'nothing if it is `MK`, else left out with `DELIVERY-LEFT-OUT`',
  'cac:AllowanceCharge/cbc:AllowanceChargeReason':
    'of a charge (or negative discount) `docItemDesc` (the first reason), of a discount (or negative charge) left out with `ELEMENT-LEFT-OUT`',
  'cbc:TaxExemptionReason':
    "without a code `docItemTaxIndicator`, if it is the note of an indicator that fits the category; else the authority's own value stands for it",
  'cac:Item/cac:OriginCountry':
    'decides, beside the directive `UJP:domesticProduct`; else left out with `ITEM-DETAIL-LEFT-OUT`',
  'cac:Item/cac:AdditionalItemProperty':
    'the directive `UJP:domesticProduct`: `docItemDomesticProduct`; others left out with `ITEM-DETAIL-LEFT-OUT`',
  'cac:CommodityClassification/cbc:ItemClassificationCode':
    'the first with `@listID` `HS`: `docItemHs`; others left out with `ITEM-DETAIL-LEFT-OUT`',
};

/** Members that no element gives a value to. */
export const OTHER_MEMBERS: Readonly<Record<string, string>> = {
  'docHeader`, `docFooter`, `docIndicator': 'null always',
  docId: 'our identifier of the document, the same at every attempt',
  'sellerCCode`, `sellerCName': "MK and its name in the authority's list",
  'sellerName`, `sellerAddress`, `sellerVatNumber': "from the taxpayers' register",
  'sellerForeignTin`, `sellerSubsidiaryCode`, `sellerSubsidiaryName`, `sellerSubsidiaryAddress': 'null always',
  docItemLineNo: 'the lines are numbered by their order',
  'docItemUnitVat`, `docItemTotalVat`, `docItemTotalPriceWVat':
    'VAT of the line: from its net and rate, adjusted to the VAT of its category',
  docItemTotalOriginalPriceWoVat: '`docItemTotalPriceWoVat` before its discounts',
  'docNetAmount`, `docDiscountAmount': 'sums of the items before discounts, and of the discounts',
  docGrossAmountR: '`docGrossAmount` in whole denars; in another currency the same',
  'vatCode`, `vatTaxIndicatorNote': "tax group and note of the indicator, from the authority's list",
  vatTotalAmount: '`vatTaxableAmount` and `vatAmount` together',
  'correctionReasonCode`, `correctionReason`, `correctionReasonComment':
    'of a correction (type code 384): the directive `UJP:correctionReason`',
};
