import { largeInvoice, type SampleOptions, sampleInvoice } from '../support/ubl-samples.ts';

/** The shape makes them what they are: in the short run they have a quarter of their size, for which a busy machine has time too. */
export const IS_FULL_SIZE = process.env['TEST_LONG'] === '1';
const SCALE = IS_FULL_SIZE ? 1 : 1 / 4;
/** The largest document that is taken, less some room for what tests add. */
const FULL_BYTES = 10 * 1_048_576 * SCALE - 20_000;
const NOTE = /(<cbc:Note languageID="mk">)[^<]*/u;
const SUPPLIER = '  <cac:AccountingSupplierParty>';

/** Refused with a code at the door, or taken and then brought to an end by delivery. */
export type WorstCase = { readonly document: (number: string) => string; readonly refusedAs: string | null };

/** One document of each kind that once stopped other callers, or was found to come near to it, at full size. */
export const WORST_CASES: Readonly<Record<string, WorstCase>> = {
  'nested namespace declarations': refused('ERR-2001', () => extension(nestedNamespaces())),
  'a long name of a namespace': refused('ERR-2001', () =>
    extension(`<x xmlns="${'u'.repeat(FULL_BYTES / 2)}">${'<a/>'.repeat(FULL_BYTES / 8)}</x>`),
  ),
  'a text in a million pieces': refused('ERR-2001', () => sampleInvoice().replace(NOTE, `$1${filled('a<!---->b')}`)),
  'a million attributes that the schema does not know': refused('ERR-2002', () =>
    sampleInvoice().replace('  <cbc:Note ', `${filled('<cbc:Note a=""/>')}  <cbc:Note `),
  ),
  'half a million elements with names of their own': refused('ERR-2002', () =>
    sampleInvoice().replace(SUPPLIER, `${distinctElements()}${SUPPLIER}`),
  ),
  'two hundred attributes in each of thousands of tags': taken((number) =>
    extension(`<x xmlns="urn:x">${filled(`<a${attributes(200)}/>`)}</x>`, { number }),
  ),
  'a street of separators': taken((number) =>
    sampleInvoice({ number }).replaceAll('ул. Македонија 12', ', '.repeat(FULL_BYTES / 4)),
  ),
  'two hundred thousand notes': taken((number) =>
    sampleInvoice({ number }).replace('  <cbc:Note ', `${filled('<cbc:Note>a</cbc:Note>')}  <cbc:Note `),
  ),
  'thousands of references to one number': taken((number) =>
    withReferences(number, () => '<cbc:ID>2026-1</cbc:ID><cbc:IssueDate>2026-10-01</cbc:IssueDate>'),
  ),
  'thousands of references to as many numbers': taken((number) =>
    withReferences(number, (index) => `<cbc:ID>R-${index}</cbc:ID>`),
  ),
  '15,000 allowances on 3,000 lines': taken((number) => withAllowances(number, 15_000 * SCALE, 3_000 * SCALE)),
  'thousands of subtotals beside as many tax categories': taken((number) => withCategories(number, 8_000 * SCALE)),
  'an invoice of ten thousand lines': taken((number) =>
    largeInvoice(FULL_BYTES).replace(/<cbc:ID>[^<]*/u, `<cbc:ID>${number}`),
  ),
};

function refused(refusedAs: string, document: () => string): WorstCase {
  return { document, refusedAs };
}

function taken(document: (number: string) => string): WorstCase {
  return { document, refusedAs: null };
}

/** As often as it fits into a document. */
function filled(unit: string): string {
  return unit.repeat(Math.floor(FULL_BYTES / Buffer.byteLength(unit)));
}

function rows(count: number, row: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => row(index)).join('');
}

function extension(markup: string, options: SampleOptions = {}): string {
  return sampleInvoice({ ...options, extension: markup });
}

function nestedNamespaces(): string {
  const declarations = (level: number) => rows(250, (index) => ` xmlns:p${level}_${index}="urn:${index}"`);
  const open = rows(100, (level) => `<a${declarations(level)}>`);
  const inside = '<p0_0:b/>'.repeat((FULL_BYTES - open.length) / 10);
  return `<x xmlns="urn:x">${open}${inside}${'</a>'.repeat(100)}</x>`;
}

function attributes(count: number): string {
  return rows(count, (index) => ` a${index}="value"`);
}

function distinctElements(): string {
  return rows(500_000 * SCALE, (index) => `<cbc:N${index.toString(36)}/>`);
}

function withReferences(number: string, inside: (index: number) => string): string {
  const row = (index: number) =>
    `<cac:BillingReference><cac:InvoiceDocumentReference>${inside(index)}</cac:InvoiceDocumentReference></cac:BillingReference>`;
  const references = rows(Math.floor(FULL_BYTES / (row(0).length + 6)), row);
  return sampleInvoice({ number }).replace(SUPPLIER, `${references}${SUPPLIER}`);
}

/** The totals are those of the lines less the allowances, so that the conversion goes all the way. */
function withAllowances(number: string, allowances: number, lines: number): string {
  const goods = Array.from({ length: lines }, () => ({ name: 'Хартија', quantity: 1, priceDenars: 100 }));
  const allowance = `<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount currencyID="MKD">0.01</cbc:Amount><cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>18</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:AllowanceCharge>`;
  const xml = sampleInvoice({ number, lines: goods });
  return xml.replace('  <cac:TaxTotal>', `${allowance.repeat(allowances)}  <cac:TaxTotal>`);
}

function withCategories(number: string, count: number): string {
  const goods = Array.from({ length: count }, () => ({ name: 'Хартија', quantity: 1, priceDenars: 100 }));
  const reason = (index: number) => `<cbc:TaxExemptionReasonCode>VATEX-${index}</cbc:TaxExemptionReasonCode>`;
  const subtotal = (index: number) =>
    `<cac:TaxSubtotal><cbc:TaxAmount currencyID="MKD">0</cbc:TaxAmount><cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>18</cbc:Percent>${reason(index)}<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal>`;
  let line = 0;
  return sampleInvoice({ number, lines: goods })
    .replaceAll(/(<cac:ClassifiedTaxCategory>\s*<cbc:ID>S<\/cbc:ID>\s*<cbc:Percent>18<\/cbc:Percent>)/gu, (start) => {
      line += 1;
      return `${start}${reason(line)}`;
    })
    .replace('  </cac:TaxTotal>', `${rows(count, subtotal)}  </cac:TaxTotal>`);
}
