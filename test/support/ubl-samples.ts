/** UBL 2.1 documents of our own writing: a realistic invoice and credit note from Alfa to Beta, and the parts to vary them. */

export const ALFA_EDB = '4030026000018';
export const BETA_EDB = '4080026000023';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';
export const CAC = `${UBL}CommonAggregateComponents-2`;
export const CBC = `${UBL}CommonBasicComponents-2`;
export const EXT = `${UBL}CommonExtensionComponents-2`;

export type SampleParty = {
  readonly name: string | null;
  readonly taxNumber: string | null;
  readonly country: string | null;
};

export type SampleLine = { readonly name: string; readonly quantity: number; readonly priceDenars: number };

export type SampleAttachment = { readonly mimeCode: string; readonly content: string };

export type SampleOptions = {
  readonly number?: string;
  readonly issueDate?: string;
  /** Null leaves the element out, here and below. */
  readonly typeCode?: string | null;
  readonly versionId?: string | null;
  readonly supplier?: Partial<SampleParty>;
  readonly recipient?: Partial<SampleParty>;
  readonly currency?: string;
  /** The amount to pay, if not the sum of the lines with tax. */
  readonly amount?: string | null;
  readonly lines?: readonly SampleLine[];
  readonly attachments?: readonly SampleAttachment[];
  /** Markup for one `ext:ExtensionContent`. */
  readonly extension?: string;
};

export const ALFA: SampleParty = { name: 'Алфа Трговија ДООЕЛ Скопје', taxNumber: ALFA_EDB, country: 'MK' };
export const BETA: SampleParty = { name: 'Бета Инженеринг АД Битола', taxNumber: BETA_EDB, country: 'MK' };

const GOODS: readonly SampleLine[] = [
  { name: 'Канцелариска хартија А4, 80 g, пакет од 500 листа', quantity: 120, priceDenars: 235 },
  { name: 'Тонер за ласерски печатач, црн, 3.000 страници', quantity: 8, priceDenars: 3450 },
  { name: 'Одржување на мрежна опрема, месечен паушал', quantity: 1, priceDenars: 18500 },
  { name: 'Работна маса 160 × 80 cm, даб', quantity: 4, priceDenars: 9870 },
  { name: 'Превоз и монтажа на мебел', quantity: 1, priceDenars: 4200 },
];

const TAX_PERCENT = 18;

/** A complete invoice of about nine kilobytes that is valid against UBL 2.1. */
export function sampleInvoice(options: SampleOptions = {}): string {
  return sampleDocument('Invoice', options);
}

/** A complete credit note for part of such an invoice. */
export function sampleCreditNote(options: SampleOptions = {}): string {
  return sampleDocument('CreditNote', { number: 'КО-2026-0007', lines: GOODS.slice(0, 2), ...options });
}

/** An invoice of about so many lines as fit into a size, for tests of large documents. */
export function largeInvoice(bytes: number): string {
  const perLine = Buffer.byteLength(lineMarkup('Invoice', GOODS[0] as SampleLine, 1, 'MKD'));
  const lines = Array.from({ length: Math.floor(bytes / perLine) - 10 }, (_, index) => GOODS[index % GOODS.length]);
  return sampleInvoice({ lines: lines.filter((line) => line !== undefined) });
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text));
}

/** A PDF of one empty page, small but real. */
export const SAMPLE_PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

export const PDF_ATTACHMENT: SampleAttachment = {
  mimeCode: 'application/pdf',
  content: Buffer.from(SAMPLE_PDF).toString('base64'),
};

/** The document with the first element of that name, and all in it, left out. */
export function without(xml: string, name: string): string {
  return replaceElement(xml, name, '');
}

export function replaceElement(xml: string, name: string, markup: string): string {
  const element = new RegExp(`<${name}[\\s>].*?</${name}>`, 'su');
  if (!element.test(xml)) throw new Error(`The sample has no ${name}`);
  return xml.replace(element, () => markup);
}

function sampleDocument(kind: 'Invoice' | 'CreditNote', options: SampleOptions): string {
  const { number = 'Ф-2026-00142', issueDate = '2026-10-30', currency = 'MKD', lines = GOODS, extension } = options;
  const net = lines.reduce((sum, line) => sum + line.quantity * line.priceDenars, 0);
  const tax = (net * TAX_PERCENT) / 100;
  const typeCode = options.typeCode === undefined ? (kind === 'Invoice' ? '380' : '381') : options.typeCode;
  const amount = options.amount === undefined ? money(net + tax) : options.amount;
  return `<?xml version="1.0" encoding="UTF-8"?>
<${kind} xmlns="${UBL}${kind}-2" xmlns:cac="${CAC}" xmlns:cbc="${CBC}" xmlns:ext="${EXT}">
${extension === undefined ? '' : extensionMarkup(extension)}${optional('  ', 'cbc:UBLVersionID', options.versionId === undefined ? '2.1' : options.versionId)}  <cbc:ID>${number}</cbc:ID>
  <cbc:IssueDate>${issueDate}</cbc:IssueDate>
${kind === 'Invoice' ? '  <cbc:DueDate>2026-11-29</cbc:DueDate>\n' : ''}${optional('  ', `cbc:${kind}TypeCode`, typeCode)}  <cbc:Note languageID="mk">Рок на плаќање: 30 дена. За задоцнето плаќање пресметуваме законска казнена камата.</cbc:Note>
  <cbc:DocumentCurrencyCode>${currency}</cbc:DocumentCurrencyCode>
${(options.attachments ?? []).map(attachmentMarkup).join('')}${partyMarkup('cac:AccountingSupplierParty', { ...ALFA, ...options.supplier })}${partyMarkup('cac:AccountingCustomerParty', { ...BETA, ...options.recipient })}  <cac:PaymentMeans>
    <cbc:PaymentMeansCode>30</cbc:PaymentMeansCode>
    <cac:PayeeFinancialAccount>
      <cbc:ID>MK07200002785493176</cbc:ID>
      <cbc:Name>Алфа Трговија, денарска сметка</cbc:Name>
    </cac:PayeeFinancialAccount>
  </cac:PaymentMeans>
  <cac:TaxTotal>
    <cbc:TaxAmount currencyID="${currency}">${money(tax)}</cbc:TaxAmount>
    <cac:TaxSubtotal>
      <cbc:TaxableAmount currencyID="${currency}">${money(net)}</cbc:TaxableAmount>
      <cbc:TaxAmount currencyID="${currency}">${money(tax)}</cbc:TaxAmount>
${taxCategoryMarkup('      ', 'cac:TaxCategory')}    </cac:TaxSubtotal>
  </cac:TaxTotal>
  <cac:LegalMonetaryTotal>
    <cbc:LineExtensionAmount currencyID="${currency}">${money(net)}</cbc:LineExtensionAmount>
    <cbc:TaxExclusiveAmount currencyID="${currency}">${money(net)}</cbc:TaxExclusiveAmount>
    <cbc:TaxInclusiveAmount currencyID="${currency}">${money(net + tax)}</cbc:TaxInclusiveAmount>
${amount === null ? '' : `    <cbc:PayableAmount currencyID="${currency}">${amount}</cbc:PayableAmount>\n`}  </cac:LegalMonetaryTotal>
${lines.map((line, index) => lineMarkup(kind, line, index + 1, currency)).join('')}</${kind}>
`;
}

function partyMarkup(role: string, { name, taxNumber, country }: SampleParty): string {
  return `  <${role}>
    <cac:Party>
${name === null ? '' : `      <cac:PartyName>\n        <cbc:Name>${name}</cbc:Name>\n      </cac:PartyName>\n`}      <cac:PostalAddress>
        <cbc:StreetName>ул. Македонија 12</cbc:StreetName>
        <cbc:CityName>Скопје</cbc:CityName>
        <cbc:PostalZone>1000</cbc:PostalZone>
${country === null ? '' : `        <cac:Country>\n          <cbc:IdentificationCode>${country}</cbc:IdentificationCode>\n        </cac:Country>\n`}      </cac:PostalAddress>
${taxNumber === null ? '' : `      <cac:PartyTaxScheme>\n        <cbc:CompanyID>${taxNumber}</cbc:CompanyID>\n        <cac:TaxScheme>\n          <cbc:ID>VAT</cbc:ID>\n        </cac:TaxScheme>\n      </cac:PartyTaxScheme>\n`}      <cac:Contact>
        <cbc:Telephone>+389 2 555 0142</cbc:Telephone>
        <cbc:ElectronicMail>smetkovodstvo@primer.example</cbc:ElectronicMail>
      </cac:Contact>
    </cac:Party>
  </${role}>
`;
}

function lineMarkup(kind: 'Invoice' | 'CreditNote', line: SampleLine, number: number, currency: string): string {
  const quantity = kind === 'Invoice' ? 'InvoicedQuantity' : 'CreditedQuantity';
  return `  <cac:${kind}Line>
    <cbc:ID>${number}</cbc:ID>
    <cbc:${quantity} unitCode="C62">${line.quantity}</cbc:${quantity}>
    <cbc:LineExtensionAmount currencyID="${currency}">${money(line.quantity * line.priceDenars)}</cbc:LineExtensionAmount>
    <cac:Item>
      <cbc:Description>${line.name}; испорачано на адресата на купувачот, со гаранција од 24 месеци</cbc:Description>
      <cbc:Name>${line.name}</cbc:Name>
      <cac:SellersItemIdentification>
        <cbc:ID>АРТ-${String(number).padStart(5, '0')}</cbc:ID>
      </cac:SellersItemIdentification>
${taxCategoryMarkup('      ', 'cac:ClassifiedTaxCategory')}    </cac:Item>
    <cac:Price>
      <cbc:PriceAmount currencyID="${currency}">${money(line.priceDenars)}</cbc:PriceAmount>
      <cbc:BaseQuantity unitCode="C62">1</cbc:BaseQuantity>
    </cac:Price>
  </cac:${kind}Line>
`;
}

function taxCategoryMarkup(indent: string, name: string): string {
  const lines = [
    `<${name}>`,
    '  <cbc:ID>S</cbc:ID>',
    `  <cbc:Percent>${TAX_PERCENT}</cbc:Percent>`,
    '  <cac:TaxScheme>',
    '    <cbc:ID>VAT</cbc:ID>',
    '  </cac:TaxScheme>',
    `</${name}>`,
  ];
  return lines.map((line) => `${indent}${line}\n`).join('');
}

function attachmentMarkup({ mimeCode, content }: SampleAttachment, index: number): string {
  return `  <cac:AdditionalDocumentReference>
    <cbc:ID>Прилог ${index + 1}</cbc:ID>
    <cac:Attachment>
      <cbc:EmbeddedDocumentBinaryObject mimeCode="${mimeCode}" filename="prilog-${index + 1}.pdf">${content}</cbc:EmbeddedDocumentBinaryObject>
    </cac:Attachment>
  </cac:AdditionalDocumentReference>
`;
}

function extensionMarkup(content: string): string {
  return `  <ext:UBLExtensions>
    <ext:UBLExtension>
      <ext:ExtensionContent>${content}</ext:ExtensionContent>
    </ext:UBLExtension>
  </ext:UBLExtensions>
`;
}

function optional(indent: string, name: string, value: string | null): string {
  return value === null ? '' : `${indent}<${name}>${value}</${name}>\n`;
}

function money(amount: number): string {
  return amount.toFixed(2);
}
