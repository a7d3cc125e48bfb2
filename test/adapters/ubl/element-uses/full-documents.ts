import { ALFA_EDB, BETA_EDB, CAC, CBC, EXT } from '../../../support/ubl-samples.ts';

const ADDRESS = `<cbc:StreetName>Широк Сокак</cbc:StreetName><cbc:AdditionalStreetName>влез 2</cbc:AdditionalStreetName><cbc:BuildingNumber>3</cbc:BuildingNumber><cbc:CityName>Битола</cbc:CityName><cbc:PostalZone>7000</cbc:PostalZone><cbc:CountrySubentity>Пелагонија</cbc:CountrySubentity><cac:AddressLine><cbc:Line>кат 3</cbc:Line></cac:AddressLine><cac:Country><cbc:IdentificationCode>MK</cbc:IdentificationCode><cbc:Name>Македонија</cbc:Name></cac:Country>`;
const OTHER_ADDRESS =
  '<cbc:CityName>Охрид</cbc:CityName><cac:Country><cbc:IdentificationCode>MK</cbc:IdentificationCode></cac:Country>';
const VAT = '<cac:TaxScheme><cbc:ID>VAT</cbc:ID><cbc:Name>ДДВ</cbc:Name></cac:TaxScheme>';
const STANDARD = `<cbc:ID>S</cbc:ID><cbc:Name>18 %</cbc:Name><cbc:Percent>18</cbc:Percent>${VAT}`;
const EXEMPT = `<cbc:ID>E</cbc:ID><cbc:Percent>0</cbc:Percent><cbc:TaxExemptionReasonCode>DDV-9-5</cbc:TaxExemptionReasonCode><cbc:TaxExemptionReason>член 23</cbc:TaxExemptionReason>${VAT}`;
const RATE =
  '<cbc:SourceCurrencyCode>EUR</cbc:SourceCurrencyCode><cbc:SourceCurrencyBaseRate>1</cbc:SourceCurrencyBaseRate><cbc:TargetCurrencyCode>MKD</cbc:TargetCurrencyCode><cbc:TargetCurrencyBaseRate>1</cbc:TargetCurrencyBaseRate><cbc:CalculationRate>61.695</cbc:CalculationRate><cbc:MathematicOperatorCode>multiply</cbc:MathematicOperatorCode><cbc:Date>2026-10-30</cbc:Date>';
const ATTACHMENT =
  '<cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/csv" filename="a.csv">QQ==</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>';

function euros(name: string, value: string): string {
  return `<cbc:${name} currencyID="EUR">${value}</cbc:${name}>`;
}

function reference(name: string, id: string, more = ''): string {
  return `<cac:${name}><cbc:ID>${id}</cbc:ID><cbc:UUID>019b8d43-7840-7433-b358-08891b53605c</cbc:UUID><cbc:IssueDate>2026-09-01</cbc:IssueDate><cbc:DocumentTypeCode>325</cbc:DocumentTypeCode><cbc:DocumentDescription>опис</cbc:DocumentDescription>${more}</cac:${name}>`;
}

function allowance(isCharge: boolean, amount: string, category = ''): string {
  return `<cac:AllowanceCharge><cbc:ChargeIndicator>${isCharge}</cbc:ChargeIndicator><cbc:AllowanceChargeReasonCode>95</cbc:AllowanceChargeReasonCode><cbc:AllowanceChargeReason>Превоз</cbc:AllowanceChargeReason><cbc:MultiplierFactorNumeric>1</cbc:MultiplierFactorNumeric>${euros('Amount', amount)}${euros('BaseAmount', '100')}${category}</cac:AllowanceCharge>`;
}

function party(edb: string): string {
  return `<cbc:CustomerAssignedAccountID>K-1</cbc:CustomerAssignedAccountID><cac:Party>
    <cbc:WebsiteURI>alfa.example</cbc:WebsiteURI><cbc:EndpointID schemeID="9999">${edb}</cbc:EndpointID>
    <cac:PartyIdentification><cbc:ID>${edb}</cbc:ID></cac:PartyIdentification>
    <cac:PartyName><cbc:Name>Бета</cbc:Name></cac:PartyName>
    <cac:PostalAddress>${ADDRESS}</cac:PostalAddress>
    <cac:PhysicalLocation><cac:Address>${OTHER_ADDRESS}</cac:Address></cac:PhysicalLocation>
    <cac:PartyTaxScheme><cbc:CompanyID>${edb}</cbc:CompanyID><cbc:ExemptionReason>нема</cbc:ExemptionReason><cac:RegistrationAddress>${OTHER_ADDRESS}</cac:RegistrationAddress>${VAT}</cac:PartyTaxScheme>
    <cac:PartyLegalEntity><cbc:RegistrationName>БЕТА ДООЕЛ</cbc:RegistrationName><cbc:CompanyID>${edb}</cbc:CompanyID><cbc:CompanyLegalForm>ДООЕЛ</cbc:CompanyLegalForm><cac:RegistrationAddress>${OTHER_ADDRESS}</cac:RegistrationAddress></cac:PartyLegalEntity>
    <cac:Contact><cbc:Name>Ана</cbc:Name><cbc:Telephone>02</cbc:Telephone><cbc:Telefax>03</cbc:Telefax><cbc:ElectronicMail>a@beta.example</cbc:ElectronicMail></cac:Contact>
    <cac:Person><cbc:FirstName>Марија</cbc:FirstName><cbc:FamilyName>Петрова</cbc:FamilyName><cbc:MiddleName>А.</cbc:MiddleName><cbc:JobTitle>директор</cbc:JobTitle></cac:Person>
  </cac:Party>`;
}

const TERMS = '<cac:DeliveryTerms><cbc:ID>1</cbc:ID><cbc:SpecialTerms>EXW</cbc:SpecialTerms></cac:DeliveryTerms>';

/** An invoice that uses every element that is sent or decides something, and many others. It can be converted. */
export const FULL_INVOICE = `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="${CAC}" xmlns:cbc="${CBC}" xmlns:ext="${EXT}">
  <ext:UBLExtensions><ext:UBLExtension><cbc:ID>1</cbc:ID><ext:ExtensionContent><x xmlns="urn:others">y</x></ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>
  <cbc:UBLVersionID>2.1</cbc:UBLVersionID><cbc:CustomizationID>urn:others</cbc:CustomizationID><cbc:ProfileID>urn:others</cbc:ProfileID>
  <cbc:ID>Ф-1</cbc:ID><cbc:CopyIndicator>false</cbc:CopyIndicator><cbc:UUID>019b8d43-7840-7433-b358-08891b53605c</cbc:UUID>
  <cbc:IssueDate>2026-11-02</cbc:IssueDate><cbc:IssueTime>12:00:00</cbc:IssueTime><cbc:DueDate>2026-12-02</cbc:DueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:Note>Прва</cbc:Note><cbc:TaxPointDate>2026-11-01</cbc:TaxPointDate>
  <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cbc:TaxCurrencyCode>MKD</cbc:TaxCurrencyCode>
  <cbc:AccountingCost>4711</cbc:AccountingCost><cbc:LineCountNumeric>2</cbc:LineCountNumeric><cbc:BuyerReference>04011000-12345-34</cbc:BuyerReference>
  <cac:InvoicePeriod><cbc:StartDate>2026-10-01</cbc:StartDate><cbc:EndDate>2026-10-31</cbc:EndDate><cbc:DescriptionCode>35</cbc:DescriptionCode></cac:InvoicePeriod>
  <cac:OrderReference><cbc:ID>Н-1</cbc:ID><cbc:SalesOrderID>П-1</cbc:SalesOrderID><cbc:UUID>u</cbc:UUID><cbc:IssueDate>2026-10-01</cbc:IssueDate></cac:OrderReference>
  <cac:BillingReference>${reference('InvoiceDocumentReference', 'Ф-0')}</cac:BillingReference>
  <cac:BillingReference>${reference('CreditNoteDocumentReference', 'К-0').replace('019b8d43', '019b8d44')}</cac:BillingReference>
  <cac:BillingReference>${reference('DebitNoteDocumentReference', 'З-0').replace('019b8d43', '019b8d45')}</cac:BillingReference>
  ${reference('DespatchDocumentReference', 'И-1')}${reference('ReceiptDocumentReference', 'П-1')}${reference('StatementDocumentReference', 'С-1')}
  ${reference('OriginatorDocumentReference', 'ЈН-1')}${reference('ContractDocumentReference', 'Д-1')}${reference('AdditionalDocumentReference', 'О-1', ATTACHMENT)}
  <cac:ProjectReference><cbc:ID>ПР-1</cbc:ID></cac:ProjectReference>
  <cac:Signature><cbc:ID>S</cbc:ID></cac:Signature>
  <cac:AccountingSupplierParty>${party(ALFA_EDB)}</cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty>${party(BETA_EDB)}</cac:AccountingCustomerParty>
  <cac:PayeeParty><cac:PartyName><cbc:Name>Гама</cbc:Name></cac:PartyName></cac:PayeeParty>
  <cac:TaxRepresentativeParty><cac:PartyName><cbc:Name>Делта</cbc:Name></cac:PartyName></cac:TaxRepresentativeParty>
  <cac:Delivery><cbc:ActualDeliveryDate>2026-10-30</cbc:ActualDeliveryDate><cbc:ActualDeliveryTime>12:00:00</cbc:ActualDeliveryTime>
    <cac:DeliveryAddress>${ADDRESS}</cac:DeliveryAddress>
    <cac:DeliveryLocation><cbc:ID>L-1</cbc:ID><cbc:Description>Магацин</cbc:Description><cbc:Name>Објект</cbc:Name><cac:Address>${ADDRESS}</cac:Address></cac:DeliveryLocation>
    <cac:DeliveryParty><cac:PartyName><cbc:Name>Бета</cbc:Name></cac:PartyName><cac:PartyLegalEntity><cbc:RegistrationName>БЕТА</cbc:RegistrationName></cac:PartyLegalEntity><cac:Person><cbc:FirstName>Марија</cbc:FirstName><cbc:FamilyName>Петрова</cbc:FamilyName><cbc:MiddleName>А.</cbc:MiddleName></cac:Person></cac:DeliveryParty>
    ${TERMS}</cac:Delivery>
  <cac:Delivery><cbc:ActualDeliveryDate>2026-10-31</cbc:ActualDeliveryDate></cac:Delivery>
  ${TERMS}
  <cac:PaymentMeans><cbc:ID>1</cbc:ID><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:PaymentDueDate>2026-12-02</cbc:PaymentDueDate><cbc:PaymentChannelCode>IBAN</cbc:PaymentChannelCode><cbc:InstructionNote>упатство</cbc:InstructionNote><cbc:PaymentID>повик</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>MK07200002785493176</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>
  <cac:PaymentTerms><cbc:ID>1</cbc:ID><cbc:Note>30 дена</cbc:Note><cbc:SettlementDiscountPercent>2</cbc:SettlementDiscountPercent><cbc:PenaltySurchargePercent>10.5</cbc:PenaltySurchargePercent>${euros('Amount', '1')}<cbc:PaymentDueDate>2026-12-02</cbc:PaymentDueDate><cac:SettlementPeriod><cbc:DurationMeasure unitCode="DAY">30</cbc:DurationMeasure></cac:SettlementPeriod></cac:PaymentTerms>
  <cac:PrepaidPayment><cbc:ID>АВ-1</cbc:ID>${euros('PaidAmount', '50')}<cbc:ReceivedDate>2026-10-05</cbc:ReceivedDate><cbc:PaidDate>2026-10-04</cbc:PaidDate></cac:PrepaidPayment>
  ${allowance(false, '15', `<cac:TaxCategory>${STANDARD}</cac:TaxCategory>`)}${allowance(true, '20', `<cac:TaxCategory>${STANDARD}</cac:TaxCategory>`)}
  <cac:PaymentExchangeRate>${RATE}</cac:PaymentExchangeRate>
  <cac:TaxTotal>${euros('TaxAmount', '32.40')}<cac:TaxSubtotal>${euros('TaxableAmount', '180')}${euros('TaxAmount', '32.40')}<cbc:Percent>18</cbc:Percent><cac:TaxCategory>${STANDARD}</cac:TaxCategory></cac:TaxSubtotal><cac:TaxSubtotal>${euros('TaxableAmount', '10')}${euros('TaxAmount', '0')}<cac:TaxCategory>${EXEMPT}</cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
  <cac:TaxTotal><cbc:TaxAmount currencyID="MKD">1998.92</cbc:TaxAmount></cac:TaxTotal>
  <cac:WithholdingTaxTotal>${euros('TaxAmount', '1')}</cac:WithholdingTaxTotal>
  <cac:LegalMonetaryTotal>${euros('LineExtensionAmount', '185')}${euros('TaxExclusiveAmount', '190')}${euros('TaxInclusiveAmount', '222.40')}${euros('AllowanceTotalAmount', '15')}${euros('ChargeTotalAmount', '20')}${euros('PrepaidAmount', '50')}${euros('PayableRoundingAmount', '0')}${euros('PayableAmount', '172.40')}</cac:LegalMonetaryTotal>
  <cac:InvoiceLine><cbc:ID>10</cbc:ID><cbc:UUID>u</cbc:UUID><cbc:Note>забелешка</cbc:Note><cbc:InvoicedQuantity unitCode="KGM">2</cbc:InvoicedQuantity>${euros('LineExtensionAmount', '175')}<cbc:AccountingCost>4712</cbc:AccountingCost><cac:InvoicePeriod><cbc:StartDate>2026-10-01</cbc:StartDate></cac:InvoicePeriod><cac:OrderLineReference><cbc:LineID>1</cbc:LineID></cac:OrderLineReference>${reference('DocumentReference', 'О-9')}<cac:Delivery><cbc:ActualDeliveryDate>2026-10-30</cbc:ActualDeliveryDate></cac:Delivery>
    ${allowance(false, '5')}
    <cac:Item><cbc:Description>опис</cbc:Description><cbc:Name>Хартија</cbc:Name><cac:BuyersItemIdentification><cbc:ID>B-1</cbc:ID></cac:BuyersItemIdentification><cac:SellersItemIdentification><cbc:ID>A-1</cbc:ID></cac:SellersItemIdentification><cac:StandardItemIdentification><cbc:ID>5310</cbc:ID></cac:StandardItemIdentification><cac:OriginCountry><cbc:IdentificationCode>MK</cbc:IdentificationCode></cac:OriginCountry><cac:CommodityClassification><cbc:ItemClassificationCode listID="HS">4802</cbc:ItemClassificationCode></cac:CommodityClassification><cac:CommodityClassification><cbc:ItemClassificationCode listID="CPV">30197630</cbc:ItemClassificationCode></cac:CommodityClassification><cac:ClassifiedTaxCategory>${STANDARD}</cac:ClassifiedTaxCategory><cac:AdditionalItemProperty><cbc:Name>UJP:domesticProduct</cbc:Name><cbc:Value>MP</cbc:Value></cac:AdditionalItemProperty><cac:AdditionalItemProperty><cbc:Name>боја</cbc:Name><cbc:Value>бела</cbc:Value></cac:AdditionalItemProperty></cac:Item>
    <cac:Price>${euros('PriceAmount', '90')}<cbc:BaseQuantity unitCode="KGM">1</cbc:BaseQuantity><cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator>${euros('Amount', '10')}${euros('BaseAmount', '100')}</cac:AllowanceCharge></cac:Price></cac:InvoiceLine>
  <cac:InvoiceLine><cbc:ID>20</cbc:ID><cbc:InvoicedQuantity unitCode="C62">1</cbc:InvoicedQuantity>${euros('LineExtensionAmount', '10')}<cac:TaxTotal>${euros('TaxAmount', '0')}<cac:TaxSubtotal>${euros('TaxableAmount', '10')}${euros('TaxAmount', '0')}<cac:TaxCategory>${EXEMPT}</cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal><cac:Item><cbc:Description>опис</cbc:Description><cac:StandardItemIdentification><cbc:ID>5311</cbc:ID></cac:StandardItemIdentification><cac:OriginCountry><cbc:IdentificationCode>DE</cbc:IdentificationCode></cac:OriginCountry></cac:Item>
    <cac:Price>${euros('PriceAmount', '10')}</cac:Price></cac:InvoiceLine>
</Invoice>
`;

/** Elements of which others take the place where a document has both; none of them counts everywhere. */
const COUNTRIES = ['PostalAddress', 'PartyLegalEntity', 'PartyTaxScheme', 'PhysicalLocation'] as const;

/** The same with other values, or without some, so that each element counts in at least one of them. */
export const FULL_DOCUMENTS: readonly string[] = [
  FULL_INVOICE,
  creditNote(FULL_INVOICE),
  without(FULL_INVOICE, 'cbc:UUID', 'cac:AddressLine')
    .replace('<cbc:ProfileID>urn:others', '<cbc:ProfileID schemeID="UJP:docType">110')
    .replace(/(?<=<cac:TaxTotal>.*)<cbc:TaxExemptionReasonCode>.*?<\/cbc:TaxExemptionReasonCode>/u, ''),
  without(
    FULL_INVOICE,
    'cac:PartyName',
    'cbc:RegistrationName',
    'cac:DeliveryLocation',
    'cbc:AdditionalStreetName',
  ).replace(/(?<=<cbc:ID>20<.*)<cbc:TaxExemptionReasonCode>.*?<\/cbc:TaxExemptionReasonCode>/u, ''),
  without(FULL_INVOICE, 'cbc:RegistrationName', 'cbc:PrepaidAmount').replace('<cbc:Name>Објект</cbc:Name>', ''),
  without(FULL_INVOICE, 'cac:DeliveryLocation'),
  without(FULL_INVOICE, 'cac:DeliveryLocation', 'cac:DeliveryAddress').replace(TERMS, ''),
  without(FULL_INVOICE, 'cac:DeliveryLocation', 'cac:DeliveryAddress').replace(`  ${TERMS}\n`, ''),
  ...COUNTRIES.map((place) => withCountryIn(place, FULL_INVOICE)),
  ...['cbc:EndpointID', 'cac:PartyIdentification', 'cac:PartyTaxScheme', 'cac:PartyLegalEntity'].map((identifier) =>
    without(
      FULL_INVOICE,
      ...['cbc:EndpointID', 'cac:PartyIdentification', 'cac:PartyTaxScheme', 'cac:PartyLegalEntity'].filter(
        (one) => one !== identifier,
      ),
    ),
  ),
];

function without(xml: string, ...names: readonly string[]): string {
  return xml.replaceAll(new RegExp(`<(${names.join('|')})(?: [^>]*)?>.*?</\\1>`, 'gu'), '');
}

/** Of the places at which a party may state its country, only one is left. */
function withCountryIn(place: (typeof COUNTRIES)[number], xml: string): string {
  const others = COUNTRIES.filter((one) => one !== place).join('|');
  return xml.replaceAll(new RegExp(`(?<=<cac:(?:${others})>.*)<cac:Country>.*?</cac:Country>`, 'gu'), '');
}

function creditNote(invoice: string): string {
  return invoice
    .replaceAll('<cbc:DueDate>2026-12-02</cbc:DueDate>', '')
    .replaceAll('InvoiceTypeCode>380', 'CreditNoteTypeCode>381')
    .replaceAll('380</cbc:InvoiceTypeCode', '381</cbc:CreditNoteTypeCode')
    .replaceAll(/(?<=[<:/])Invoice(?=[ >]|Line|-2)/gu, 'CreditNote')
    .replaceAll('</cbc:InvoiceTypeCode>', '</cbc:CreditNoteTypeCode>')
    .replaceAll('InvoicedQuantity', 'CreditedQuantity');
}
