import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentOf } from '../../../../src/adapters/ubl/content/stored-content.ts';
import type { InvoiceContent } from '../../../../src/domain/documents/invoice-content.ts';
import {
  CAC,
  CBC,
  largeInvoice,
  replaceElement,
  SAMPLE_PDF,
  sampleCreditNote,
  sampleInvoice,
  without,
} from '../../../support/ubl-samples.ts';
import { outcomeOn } from '../judging/judging.ts';

function read(xml: string): InvoiceContent {
  return contentOf(Buffer.from(xml));
}

/** An invoice that uses everything that is read, with prefixes of its own. */
const FULL = `<?xml version="1.0" encoding="UTF-8"?>
<x:Invoice xmlns:x="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:a="${CAC}" xmlns="${CBC}">
  <ProfileID schemeID="UJP:docType">160</ProfileID>
  <ID> Ф-1
  </ID>
  <UUID>019b8d43-7840-7433-b358-08891b53605c</UUID>
  <IssueDate>2026-11-02Z</IssueDate>
  <DueDate>2026-12-02+01:00</DueDate>
  <InvoiceTypeCode name="Фактура">380</InvoiceTypeCode>
  <Note>Прва</Note><Note> </Note><Note>Втора</Note>
  <TaxPointDate>2026-11-01</TaxPointDate>
  <DocumentCurrencyCode>EUR</DocumentCurrencyCode>
  <a:InvoicePeriod><StartDate>2026-10-01</StartDate><EndDate>2026-10-31</EndDate></a:InvoicePeriod>
  <a:OrderReference><ID>Н-1</ID><IssueDate>2026-10-01</IssueDate></a:OrderReference>
  <a:BillingReference><a:InvoiceDocumentReference><ID>Ф-0</ID><UUID>u</UUID><IssueDate>2026-09-01</IssueDate></a:InvoiceDocumentReference></a:BillingReference>
  <a:BillingReference><a:CreditNoteDocumentReference><ID>К-0</ID></a:CreditNoteDocumentReference></a:BillingReference>
  <a:DespatchDocumentReference><ID>И-1</ID></a:DespatchDocumentReference>
  <a:ReceiptDocumentReference><ID>П-1</ID></a:ReceiptDocumentReference>
  <a:StatementDocumentReference><ID>С-1</ID></a:StatementDocumentReference>
  <a:OriginatorDocumentReference><ID>ЈН-1</ID></a:OriginatorDocumentReference>
  <a:ContractDocumentReference><ID>Д-1</ID></a:ContractDocumentReference>
  <a:AdditionalDocumentReference><ID schemeID="s">О-1</ID><DocumentTypeCode>310</DocumentTypeCode><DocumentDescription>опис</DocumentDescription></a:AdditionalDocumentReference>
  <a:AdditionalDocumentReference><ID>О-2</ID><a:Attachment><EmbeddedDocumentBinaryObject mimeCode="text/csv" filename="a.csv">QQ==</EmbeddedDocumentBinaryObject></a:Attachment></a:AdditionalDocumentReference>
  <a:AccountingSupplierParty><a:Party>
    <EndpointID schemeID="9999">E-1</EndpointID>
    <a:PartyIdentification><ID>P-1</ID></a:PartyIdentification>
    <a:PartyName><Name>Алфа</Name></a:PartyName>
    <a:PostalAddress><StreetName>Партизанска</StreetName><AdditionalStreetName>влез 2</AdditionalStreetName><BuildingNumber>14</BuildingNumber><CityName>Скопје</CityName><PostalZone>1000</PostalZone><a:AddressLine><Line>кат 3</Line></a:AddressLine><a:Country><IdentificationCode>mk</IdentificationCode></a:Country></a:PostalAddress>
    <a:PartyTaxScheme><CompanyID>МК4030026000018</CompanyID><a:TaxScheme><ID>VAT</ID></a:TaxScheme></a:PartyTaxScheme>
    <a:PartyLegalEntity><RegistrationName>АЛФА ДОО</RegistrationName><CompanyID>7000018</CompanyID></a:PartyLegalEntity>
    <a:Contact><Name>Ана</Name><Telephone>02</Telephone><ElectronicMail>a@alfa.example</ElectronicMail></a:Contact>
  </a:Party></a:AccountingSupplierParty>
  <a:AccountingCustomerParty><a:Party>
    <a:PartyLegalEntity><a:RegistrationAddress><a:Country><IdentificationCode>MK</IdentificationCode></a:Country></a:RegistrationAddress></a:PartyLegalEntity>
    <a:Person><FirstName>Марија</FirstName><FamilyName>Петрова</FamilyName></a:Person>
  </a:Party></a:AccountingCustomerParty>
  <a:Delivery><ActualDeliveryDate>2026-10-30</ActualDeliveryDate>
    <a:DeliveryLocation><ID>L-1</ID><Description>Магацин</Description><a:Address><CityName>Охрид</CityName></a:Address></a:DeliveryLocation>
    <a:DeliveryParty><a:PartyName><Name>Бета</Name></a:PartyName></a:DeliveryParty></a:Delivery>
  <a:DeliveryTerms><SpecialTerms>EXW</SpecialTerms></a:DeliveryTerms>
  <a:PaymentMeans><PaymentMeansCode name="P13">30</PaymentMeansCode><PaymentDueDate>2026-12-01</PaymentDueDate><InstructionNote>упатство</InstructionNote><PaymentID>повик</PaymentID></a:PaymentMeans>
  <a:PaymentTerms><Note>30 дена</Note><SettlementDiscountPercent>2</SettlementDiscountPercent><PenaltySurchargePercent>10.5</PenaltySurchargePercent><SettlementDiscountAmount currencyID="EUR">3</SettlementDiscountAmount><PaymentDueDate>2026-12-03</PaymentDueDate><a:SettlementPeriod><DurationMeasure unitCode="DAY">30</DurationMeasure></a:SettlementPeriod></a:PaymentTerms>
  <a:PrepaidPayment><ID>АВ-1</ID><PaidAmount currencyID="EUR">10</PaidAmount><ReceivedDate>2026-10-05</ReceivedDate></a:PrepaidPayment>
  <a:AllowanceCharge><ChargeIndicator>1</ChargeIndicator><AllowanceChargeReason>Превоз</AllowanceChargeReason><Amount currencyID="EUR">+5.00</Amount><a:TaxCategory><ID>S</ID><Percent>18.0</Percent><a:TaxScheme><ID>VAT</ID></a:TaxScheme></a:TaxCategory></a:AllowanceCharge>
  <a:TaxExchangeRate><SourceCurrencyCode>EUR</SourceCurrencyCode><TargetCurrencyCode>MKD</TargetCurrencyCode><CalculationRate>61.5</CalculationRate></a:TaxExchangeRate>
  <a:PricingExchangeRate><SourceCurrencyCode>MKD</SourceCurrencyCode><TargetCurrencyCode>EUR</TargetCurrencyCode><CalculationRate>61.4</CalculationRate></a:PricingExchangeRate>
  <a:PaymentExchangeRate><SourceCurrencyCode>EUR</SourceCurrencyCode><SourceCurrencyBaseRate>1</SourceCurrencyBaseRate><TargetCurrencyCode>MKD</TargetCurrencyCode><TargetCurrencyBaseRate>1</TargetCurrencyBaseRate><CalculationRate>61.695</CalculationRate><MathematicOperatorCode>multiply</MathematicOperatorCode><Date>2026-10-30</Date></a:PaymentExchangeRate>
  <a:TaxTotal><TaxAmount currencyID="EUR">1.90</TaxAmount><a:TaxSubtotal><TaxableAmount currencyID="EUR">10.57</TaxableAmount><TaxAmount currencyID="EUR">1.90</TaxAmount><a:TaxCategory><ID>E</ID><Percent>0</Percent><TaxExemptionReasonCode>DDV-9</TaxExemptionReasonCode><TaxExemptionReason>член 23</TaxExemptionReason><a:TaxScheme><ID>VAT</ID></a:TaxScheme></a:TaxCategory></a:TaxSubtotal></a:TaxTotal>
  <a:LegalMonetaryTotal><LineExtensionAmount currencyID="EUR">1</LineExtensionAmount><TaxExclusiveAmount currencyID="EUR">2</TaxExclusiveAmount><TaxInclusiveAmount currencyID="EUR">3</TaxInclusiveAmount><AllowanceTotalAmount currencyID="EUR">3.1</AllowanceTotalAmount><ChargeTotalAmount currencyID="EUR">3.2</ChargeTotalAmount><PrepaidAmount currencyID="EUR">4</PrepaidAmount><PayableRoundingAmount currencyID="EUR">-0.50</PayableRoundingAmount><PayableAmount currencyID="EUR">6</PayableAmount><PayableAlternativeAmount currencyID="MKD">552</PayableAlternativeAmount></a:LegalMonetaryTotal>
  <a:InvoiceLine><ID>10</ID><InvoicedQuantity unitCode="KGM">.5</InvoicedQuantity><LineExtensionAmount currencyID="EUR">5</LineExtensionAmount>
    <a:AllowanceCharge><ChargeIndicator>false</ChargeIndicator><Amount currencyID="EUR">1</Amount></a:AllowanceCharge>
    <a:Item><Description>опис</Description><Name>Хартија</Name><a:BuyersItemIdentification><ID>B-1</ID></a:BuyersItemIdentification><a:SellersItemIdentification><ID>A-1</ID></a:SellersItemIdentification><a:StandardItemIdentification><ID>5310</ID></a:StandardItemIdentification><a:OriginCountry><IdentificationCode>MK</IdentificationCode></a:OriginCountry><a:CommodityClassification><ItemClassificationCode listID="HS">4802</ItemClassificationCode></a:CommodityClassification><a:ClassifiedTaxCategory><ID>S</ID><Percent>18</Percent><a:TaxScheme><ID>VAT</ID></a:TaxScheme></a:ClassifiedTaxCategory><a:AdditionalItemProperty><Name>UJP:domesticProduct</Name><Value>MP</Value></a:AdditionalItemProperty></a:Item>
    <a:Price><PriceAmount currencyID="EUR">12</PriceAmount><BaseQuantity unitCode="KGM">1</BaseQuantity><a:AllowanceCharge><ChargeIndicator>false</ChargeIndicator><Amount currencyID="EUR">2</Amount></a:AllowanceCharge></a:Price></a:InvoiceLine>
  <a:InvoiceLine><ID>20</ID><LineExtensionAmount currencyID="EUR">5</LineExtensionAmount><a:TaxTotal><TaxAmount currencyID="EUR">0</TaxAmount><a:TaxSubtotal><TaxAmount currencyID="EUR">0</TaxAmount><a:TaxCategory><ID>Z</ID><a:TaxScheme/></a:TaxCategory></a:TaxSubtotal></a:TaxTotal><a:Item/></a:InvoiceLine>
</x:Invoice>`;

const NAME = '<a:PartyName><Name>Гама</Name></a:PartyName>';

const euros = (value: string) => ({ value, currency: 'EUR' });

describe('the content of a document that uses everything', () => {
  const content = read(FULL);

  test('is of a document that is accepted', () => assert.equal(outcomeOn(FULL), 'document'));

  test('is plain data', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(content)), content);
    assert.deepEqual(JSON.parse(JSON.stringify(content)), content);
    assert.deepEqual(content.unreadable, []);
  });

  test('has the header, days without their zone', () => {
    assert.deepEqual(
      [content.kind, content.path, content.number, content.currency, content.deliveryTerms],
      ['Invoice', '/Invoice', 'Ф-1', 'EUR', 'EXW'],
    );
    assert.deepEqual(
      [content.issueDate, content.dueDate, content.taxPointDate],
      ['2026-11-02', '2026-12-02', '2026-11-01'],
    );
    assert.deepEqual(content.typeCode, { value: '380', name: 'Фактура' });
    assert.deepEqual(content.profile, { value: '160', scheme: 'UJP:docType' });
    assert.deepEqual(content.notes, ['Прва', 'Втора']);
    assert.deepEqual(
      content.unconverted.map(({ kind }) => kind),
      ['reference-detail', 'attachment', 'payment-detail'],
    );
    assert.deepEqual(content.period, { path: '/Invoice/cac:InvoicePeriod', start: '2026-10-01', end: '2026-10-31' });
  });

  test('has every reference with its place', () => {
    assert.deepEqual(
      content.references.map(({ source, id, path }) => [source, id.value, path]),
      [
        ['billing', 'Ф-0', '/Invoice/cac:BillingReference[1]/cac:InvoiceDocumentReference'],
        ['billing', 'К-0', '/Invoice/cac:BillingReference[2]/cac:CreditNoteDocumentReference'],
        ['order', 'Н-1', '/Invoice/cac:OrderReference'],
        ['contract', 'Д-1', '/Invoice/cac:ContractDocumentReference'],
        ['originator', 'ЈН-1', '/Invoice/cac:OriginatorDocumentReference'],
        ['despatch', 'И-1', '/Invoice/cac:DespatchDocumentReference'],
        ['receipt', 'П-1', '/Invoice/cac:ReceiptDocumentReference'],
        ['statement', 'С-1', '/Invoice/cac:StatementDocumentReference'],
        ['additional', 'О-1', '/Invoice/cac:AdditionalDocumentReference[1]'],
        ['additional', 'О-2', '/Invoice/cac:AdditionalDocumentReference[2]'],
      ],
    );
    const [invoice, , order] = content.references;
    assert.deepEqual([invoice?.uuid, invoice?.issueDate, order?.issueDate], ['u', '2026-09-01', '2026-10-01']);
    const [offer, attachment] = content.references.slice(-2);
    assert.deepEqual([offer?.typeCode, offer?.description, offer?.id.scheme], ['310', 'опис', 's']);
    assert.deepEqual([offer?.hasAttachment, attachment?.hasAttachment], [false, true]);
  });

  test('has the parties, with every number they state, in the order in which it counts', () => {
    const { supplier, customer } = content;
    const path = '/Invoice/cac:AccountingSupplierParty/cac:Party';
    assert.equal(supplier.path, path);
    assert.deepEqual(supplier.identifiers, [
      {
        path: `${path}/cac:PartyTaxScheme/cbc:CompanyID`,
        source: 'tax-scheme',
        value: 'МК4030026000018',
        taxScheme: 'VAT',
      },
      { path: `${path}/cac:PartyLegalEntity/cbc:CompanyID`, source: 'legal-entity', value: '7000018', taxScheme: null },
      { path: `${path}/cac:PartyIdentification/cbc:ID`, source: 'identification', value: 'P-1', taxScheme: null },
      { path: `${path}/cbc:EndpointID`, source: 'endpoint', value: 'E-1', taxScheme: null },
    ]);
    assert.deepEqual(
      [supplier.name, supplier.country, supplier.telephone, supplier.contactName, supplier.email],
      ['АЛФА ДОО', 'MK', '02', 'Ана', 'a@alfa.example'],
    );
    assert.deepEqual(supplier.address, {
      path: `${path}/cac:PostalAddress`,
      street: 'Партизанска',
      additionalStreet: 'влез 2',
      buildingNumber: '14',
      city: 'Скопје',
      postalZone: '1000',
      lines: ['кат 3'],
    });
    assert.deepEqual([customer.name, customer.country, customer.identifiers], ['Марија Петрова', 'MK', []]);
  });

  test('has delivery and payment', () => {
    const { delivery } = content;
    assert.deepEqual(
      [
        delivery?.actualDate,
        delivery?.locationId,
        delivery?.locationName,
        delivery?.partyName,
        delivery?.address?.city,
      ],
      ['2026-10-30', 'L-1', 'Магацин', 'Бета', 'Охрид'],
    );
    assert.deepEqual(content.paymentMeans, [
      {
        path: '/Invoice/cac:PaymentMeans',
        code: '30',
        name: 'P13',
        dueDate: '2026-12-01',
        instructionNotes: ['упатство'],
        paymentIds: ['повик'],
      },
    ]);
    assert.deepEqual(content.paymentTerms, [
      {
        path: '/Invoice/cac:PaymentTerms',
        notes: ['30 дена'],
        dueDate: '2026-12-03',
        settlementPeriod: { value: '30', unit: 'DAY' },
        penaltyPercent: '10.5',
        discountPercent: '2',
        discountAmount: euros('3'),
      },
    ]);
    const [payment] = content.prepaidPayments;
    assert.deepEqual([payment?.id, payment?.amount, payment?.receivedDate], ['АВ-1', euros('10'), '2026-10-05']);
    assert.deepEqual(
      content.exchangeRates.map(({ rate }) => rate),
      ['61.695', '61.5', '61.4'],
    );
    const [rate] = content.exchangeRates;
    assert.deepEqual([rate?.operator, rate?.date, rate?.sourceBaseRate], ['multiply', '2026-10-30', '1']);
  });

  test('has allowances, taxes and totals, every digit kept', () => {
    const [charge] = content.allowanceCharges;
    assert.deepEqual([charge?.isCharge, charge?.amount, charge?.reason], [true, euros('5.00'), 'Превоз']);
    assert.deepEqual(
      charge?.taxCategories.map(({ id, percent }) => [id, percent]),
      [['S', '18.0']],
    );
    const subtotal = content.taxTotals[0]?.subtotals[0];
    assert.deepEqual(
      [content.taxTotals[0]?.amount, subtotal?.taxable, subtotal?.tax],
      [euros('1.90'), euros('10.57'), euros('1.90')],
    );
    assert.deepEqual(subtotal?.category, {
      path: '/Invoice/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory',
      id: 'E',
      percent: '0',
      exemptionReasonCode: 'DDV-9',
      exemptionReason: 'член 23',
      scheme: 'VAT',
    });
    assert.deepEqual(content.totals, {
      path: '/Invoice/cac:LegalMonetaryTotal',
      lineExtension: euros('1'),
      taxExclusive: euros('2'),
      taxInclusive: euros('3'),
      allowanceTotal: euros('3.1'),
      chargeTotal: euros('3.2'),
      prepaid: euros('4'),
      rounding: euros('-0.50'),
      payable: euros('6'),
      payableAlternative: { value: '552', currency: 'MKD' },
    });
  });

  test('has the lines', () => {
    const [first, second] = content.lines;
    assert.equal(first?.path, '/Invoice/cac:InvoiceLine[1]');
    assert.deepEqual(
      [first?.id, first?.quantity, first?.lineExtension],
      ['10', { value: '0.5', unit: 'KGM' }, euros('5')],
    );
    assert.deepEqual(first?.allowanceCharges[0]?.path, '/Invoice/cac:InvoiceLine[1]/cac:AllowanceCharge');
    assert.deepEqual([first?.price?.amount, first?.price?.baseQuantity], [euros('12'), { value: '1', unit: 'KGM' }]);
    assert.deepEqual(first?.price?.allowanceCharges[0]?.amount, euros('2'));
    const { taxCategories, ...item } = first?.item ?? { taxCategories: [] };
    assert.deepEqual(item, {
      path: '/Invoice/cac:InvoiceLine[1]/cac:Item',
      name: 'Хартија',
      descriptions: ['опис'],
      sellersId: 'A-1',
      buyersId: 'B-1',
      standardId: '5310',
      originCountry: 'MK',
      classifications: [{ code: '4802', list: 'HS' }],
      properties: [{ name: 'UJP:domesticProduct', value: 'MP' }],
    });
    assert.equal(taxCategories[0]?.path, '/Invoice/cac:InvoiceLine[1]/cac:Item/cac:ClassifiedTaxCategory');
    assert.deepEqual([second?.quantity, second?.price, second?.item.name], [null, null, null]);
    assert.deepEqual(
      second?.item.taxCategories.map(({ id, scheme }) => [id, scheme]),
      [['Z', null]],
    );
  });
});

describe('the content of other documents', () => {
  test('is that of a credit note', () => {
    const content = read(sampleCreditNote());
    assert.deepEqual([content.kind, content.typeCode.value, content.lines.length], ['CreditNote', '381', 2]);
    assert.deepEqual(content.lines[0]?.quantity, { value: '120', unit: 'C62' });
    assert.equal(content.lines[1]?.path, '/CreditNote/cac:CreditNoteLine[2]');
  });

  test('has the currency of the amount to pay where the document names none', () => {
    assert.equal(read(without(sampleInvoice(), 'cbc:DocumentCurrencyCode')).currency, 'MKD');
  });

  test('is there for a document that lacks almost everything', () => {
    const content = read('<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>');
    assert.deepEqual(
      [content.number, content.currency, content.lines, content.supplier.identifiers],
      [null, null, [], []],
    );
    assert.equal(content.customer.path, '/Invoice/cac:AccountingCustomerParty/cac:Party');
    assert.equal(content.totals.path, '/Invoice/cac:LegalMonetaryTotal');
  });

  test('notes what is there but cannot be carried, and does not go on for ever', () => {
    const digits = '9'.repeat(40);
    const dated = replaceElement(sampleInvoice(), 'cbc:IssueDate', '<cbc:IssueDate>10000-01-01</cbc:IssueDate>');
    const content = read(
      dated.replaceAll(/<cbc:PriceAmount currencyID="MKD">[\d.]+/gu, `<cbc:PriceAmount currencyID="MKD">${digits}`),
    );
    assert.equal(content.issueDate, null);
    assert.equal(content.lines[0]?.price?.amount, null);
    assert.deepEqual(content.unreadable.slice(0, 2), [
      { path: '/Invoice/cbc:IssueDate', text: '10000-01-01', mostDigits: null },
      { path: '/Invoice/cac:InvoiceLine[1]/cac:Price/cbc:PriceAmount', text: digits, mostDigits: 30 },
    ]);
    assert.equal(content.unreadable.length, 5);
  });

  test('is read in whatever encoding', () => {
    const utf16 = Buffer.from(`\u{FEFF}${sampleInvoice().replace('UTF-8', 'UTF-16')}`, 'utf16le');
    assert.deepEqual(contentOf(utf16), read(sampleInvoice()));
  });

  test('of a large document is read in proportion to its size', () => {
    const content = read(largeInvoice(5_000_000));
    assert.ok(content.lines.length > 3000);
    assert.equal(content.lines.at(-1)?.path, `/Invoice/cac:InvoiceLine[${content.lines.length}]`);
  });
});

test('the category of an item without a reason has that of the one subtotal of its line', () => {
  const subtotal = (id: string, code: string) =>
    `<cac:TaxSubtotal><cbc:TaxAmount currencyID="MKD">0</cbc:TaxAmount><cac:TaxCategory><cbc:ID>${id}</cbc:ID><cbc:Percent>0</cbc:Percent><cbc:TaxExemptionReasonCode>${code}</cbc:TaxExemptionReasonCode><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal>`;
  const categoryWith = (...subtotals: readonly string[]) => {
    const total = `<cac:TaxTotal><cbc:TaxAmount currencyID="MKD">0</cbc:TaxAmount>${subtotals.join('')}</cac:TaxTotal>`;
    const [first, another] =
      read(sampleInvoice().replaceAll('<cac:Item>', `${total}<cac:Item>`)).lines[0]?.item.taxCategories ?? [];
    assert.equal(another, undefined);
    return [first?.exemptionReasonCode, first?.percent, first?.path.split('/').at(-1)];
  };
  const own = [null, '18', 'cac:ClassifiedTaxCategory'];
  assert.deepEqual(categoryWith(subtotal('S', 'DDV-PNPI')), ['DDV-PNPI', '18', 'cac:TaxCategory']);
  assert.deepEqual(categoryWith(subtotal('E', 'DDV-8')), own, 'of another category');
  assert.deepEqual(categoryWith(subtotal('S', 'DDV-PNPI'), subtotal('S', 'DDV-18-BN')), own, 'several');
});

test('what the category of an item leaves out, the subtotals of its line complete', () => {
  const category = (name: string, parts: string, scheme = 'VAT') =>
    `<cac:${name}><cbc:ID>AE</cbc:ID>${parts}${scheme && `<cac:TaxScheme><cbc:ID>${scheme}</cbc:ID></cac:TaxScheme>`}</cac:${name}>`;
  const [code, words] = ['Code', ''].map((end) => (text: string) => {
    return `<cbc:TaxExemptionReason${end}>${text}</cbc:TaxExemptionReason${end}>`;
  }) as [(text: string) => string, (text: string) => string];
  const percent = (rate: string) => `<cbc:Percent>${rate}</cbc:Percent>`;
  const completed = (item: string, ...subtotals: readonly string[]) => {
    const amount = '<cbc:TaxAmount currencyID="MKD">0</cbc:TaxAmount>';
    const totals = subtotals.map(
      (one) => `<cac:TaxTotal>${amount}<cac:TaxSubtotal>${amount}${one}</cac:TaxSubtotal></cac:TaxTotal>`,
    );
    const xml = sampleInvoice()
      .replace(/<cac:ClassifiedTaxCategory>.*?<\/cac:ClassifiedTaxCategory>/su, item)
      .replace('<cac:Item>', `${totals.join('')}<cac:Item>`);
    const [first] = read(xml).lines[0]?.item.taxCategories ?? [];
    return [first?.percent, first?.exemptionReasonCode, first?.exemptionReason];
  };
  const item = (parts: string, scheme?: string) => category('ClassifiedTaxCategory', parts, scheme);
  const own = (parts: string, scheme?: string) => category('TaxCategory', parts, scheme);
  const coded = own(code('DDV-8'));
  for (const [ofItem, ofSubtotal] of [
    ['', 'VAT'],
    ['VAT', ''],
    ['ДДВ', 'VAT'],
  ] as const) {
    assert.deepEqual(completed(item('', ofItem), own(code('DDV-8'), ofSubtotal)), [null, 'DDV-8', null]);
  }
  assert.deepEqual(completed(item('', 'VAT'), own(code('DDV-8'), 'EXC')), [null, null, null], 'of another tax');
  assert.deepEqual(completed(item(percent('0')), coded, coded), ['0', 'DDV-8', null], 'stated twice');
  assert.deepEqual(completed(item(words('x')), coded), [null, null, 'x'], 'its own reason counts');
  assert.deepEqual(completed(item(''), own(percent('10'))), ['10', null, null], 'the rate');
  assert.deepEqual(completed(item(''), own(percent('10')), own(percent('10.00'))), ['10', null, null], 'written twice');
  assert.deepEqual(completed(item(''), own(percent('10')), own(percent('5'))), [null, null, null]);
});

test('a VAT category in letters that only look like its own, or in small ones, is that category', () => {
  const idsOf = (id: string) => {
    const { lines, taxTotals } = read(sampleInvoice().replaceAll('<cbc:ID>S</cbc:ID>', `<cbc:ID>${id}</cbc:ID>`));
    return [lines[0]?.item.taxCategories[0]?.id, taxTotals[0]?.subtotals[0]?.category?.id];
  };
  const written = { S: ['S', 'Ѕ', 's'], E: ['Е', 'е'], AE: ['АЕ', 'AЕ'], O: ['О'], А: ['А'], В: ['В'], Г: ['Г'] };
  for (const [id, spellings] of Object.entries({ ...written, StandardRated: ['StandardRated'] })) {
    for (const one of spellings) assert.deepEqual(idsOf(one), [id, id], one);
  }
});

test('a currency in letters that only look like its own, or in small ones, is that currency', () => {
  const currenciesOf = (code: string) => {
    const { currency, lines, taxTotals, totals } = read(sampleInvoice().replaceAll('MKD', code));
    return new Set([
      currency,
      lines[0]?.lineExtension?.currency,
      taxTotals[0]?.amount?.currency,
      totals.payable?.currency,
    ]);
  };
  for (const code of ['MKD', 'МКD', 'mkd']) assert.deepEqual(currenciesOf(code), new Set(['MKD']), code);
  for (const code of ['МКД', 'ЕУР', 'DEN']) assert.deepEqual(currenciesOf(code), new Set([code]), 'as stated');
  const rate =
    '<cac:PaymentExchangeRate><cbc:SourceCurrencyCode>ЕUR</cbc:SourceCurrencyCode><cbc:TargetCurrencyCode>МКD</cbc:TargetCurrencyCode></cac:PaymentExchangeRate>';
  const [stated] = read(sampleInvoice().replace('<cac:TaxTotal>', `${rate}<cac:TaxTotal>`)).exchangeRates;
  assert.deepEqual([stated?.sourceCurrency, stated?.targetCurrency], ['EUR', 'MKD']);
});

test('the reason of an exemption has all its texts, as in two languages', () => {
  const reasons = ['exempt', ' ', 'ослободено'].map((one) => `<cbc:TaxExemptionReason>${one}</cbc:TaxExemptionReason>`);
  const xml = sampleInvoice().replaceAll('</cbc:Percent>', `</cbc:Percent>${reasons.join('')}`);
  const { lines, taxTotals } = read(xml);
  const stated = [lines[0]?.item.taxCategories[0], taxTotals[0]?.subtotals[0]?.category];
  assert.deepEqual(
    stated.map((one) => one?.exemptionReason),
    ['exempt\nослободено', 'exempt\nослободено'],
  );
});

test('a number or electronic address is known as a VAT number, or as one of no tax, by its scheme alone', () => {
  const vat = [
    '9930',
    '9948',
    '9926',
    '9933',
    '9923',
    '9920',
    '9910',
    '9957',
    '0211',
    'RS:VAT',
    'BEVAT',
    'VAT',
    'VA',
    'ДДВ',
  ];
  const ofNoTax = ['0088', 'GLN', '0060', 'DUNS'];
  const others = ['', 'EM', 'TIN', '9913', '9918', '9921', '9954', '9956', '9958', '0002'];
  for (const scheme of [...vat, ...ofNoTax, ...others]) {
    const expected = vat.includes(scheme) ? 'VAT' : ofNoTax.includes(scheme) ? scheme : null;
    for (const [name, wrapper] of [
      ['EndpointID', ''],
      ['ID', 'cac:PartyIdentification'],
    ] as const) {
      const number = `<cbc:${name} schemeID="${scheme}">X1</cbc:${name}>`;
      const stated = wrapper === '' ? number : `<${wrapper}>${number}</${wrapper}>`;
      const { identifiers } = read(sampleInvoice().replaceAll('<cac:Party>', `<cac:Party>${stated}`)).customer;
      assert.equal(identifiers.find(({ value }) => value === 'X1')?.taxScheme, expected, `${name} ${scheme}`);
    }
  }
});

describe('what is no stored document is a fault:', () => {
  const faults: readonly (readonly [string, string, RegExp])[] = [
    ['nothing', '', /well-formed|decoded/u],
    ['text', 'abc', /well-formed/u],
    ['another document', '<a/>', /not a UBL Invoice or CreditNote/u],
    [
      'a DOCTYPE',
      `<!DOCTYPE a>${sampleInvoice().replace(/^<\?xml.*\?>/u, '')}`,
      /not one that is accepted at submission/u,
    ],
    ['two documents', `${sampleInvoice()}${sampleInvoice()}`, /not one that is accepted at submission/u],
    ['a PDF', SAMPLE_PDF, /well-formed/u],
  ];
  for (const [what, text, message] of faults) {
    test(what, () => assert.throws(() => read(text), message));
  }
});

test('elements that are not converted are named by kind, with their number and first places', () => {
  const note = (text: string) => `<ID>10</ID><Note>${text}</Note>`;
  const more = FULL.replace(
    /<a:InvoicePeriod>.*<\/a:InvoicePeriod>/u,
    (period) => `<a:InvoicePeriod><DescriptionCode>35</DescriptionCode></a:InvoicePeriod>${period}${period}`,
  )
    .replace(/<a:Delivery>/u, `<a:PayeeParty>${NAME}</a:PayeeParty><a:TaxRepresentativeParty/><a:Delivery>`)
    .replace('<a:DeliveryTerms>', '<a:Delivery><ID>2</ID></a:Delivery><a:DeliveryTerms>')
    .replace('<ID>10</ID>', `${note('прва')}<Note>втора</Note><Note> </Note><Note>трета</Note><Note>четврта</Note>`);
  const content = read(more);
  assert.equal(content.period?.path, '/Invoice/cac:InvoicePeriod[2]');
  const found = new Map(content.unconverted.map(({ kind, count, paths }) => [kind, [count, ...paths]]));
  assert.deepEqual(found.get('period'), [1, '/Invoice/cac:InvoicePeriod[3]']);
  assert.deepEqual(found.get('period-detail'), [1, '/Invoice/cac:InvoicePeriod[1]/cbc:DescriptionCode']);
  assert.deepEqual(found.get('delivery'), [1, '/Invoice/cac:Delivery[2]']);
  assert.deepEqual(found.get('payee'), [1, '/Invoice/cac:PayeeParty']);
  assert.equal(found.has('tax-representative'), false, 'a blank element says nothing');
  const notes = [1, 2, 4].map((place) => `/Invoice/cac:InvoiceLine[1]/cbc:Note[${place}]`);
  assert.deepEqual(found.get('line-note'), [4, ...notes]);
});
