import { projectFile } from '../../consistency/source-files.ts';
import { ARRIVED } from '../../extensions/arrived-document.ts';

/** Whatever of these is more than text sets it. */
export const TRACE = 'tookEffect';

const MARKUP = [
  `<script>${TRACE} = 1</script>`,
  `<img src=x onerror="${TRACE} = 1"><img src="http://elsewhere.example/x.png">`,
  `<svg onload="${TRACE} = 1"></svg></style></title></textarea><style>* { display: none }</style>`,
  `<a href="javascript:${TRACE} = 1">javascript:${TRACE} = 1</a><iframe srcdoc="<script>parent.${TRACE} = 1</script>"></iframe>`,
  `"' onmouseover="${TRACE} = 1" --> ]]> {{constructor.constructor('${TRACE} = 1')()}}`,
];
/** Turned round, hidden, piled up, and without a place to break. */
const TEXTS = [
  '\u202eturned round\u2066',
  'hid\u200bden\u00ad\ufeff',
  `pi${'\u0301'.repeat(40)}le`,
  'Њ'.repeat(400),
  'שלום 123',
];

const HOSTILE = [...MARKUP, ...TEXTS].join(' ');
const LONG = `${HOSTILE} ${'Њ'.repeat(100_000)}`;

/** Elements whose text is neither a number, a date nor what the kind of the document follows from. */
const TEXT_ELEMENT =
  /(<cbc:(?:ID|Name|StreetName|CityName|PostalZone|BuildingNumber|CompanyID|RegistrationName|ElectronicMail|IdentificationCode|PaymentMeansCode|DocumentCurrencyCode)>)[^<]*/gu;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** An invoice with such texts in every field that is a text, and more fields than the example has. */
export function hostileInvoice(): string {
  const more = `<cac:OrderReference><cbc:ID>1</cbc:ID></cac:OrderReference><cac:ContractDocumentReference><cbc:ID>1</cbc:ID><cbc:DocumentDescription>${escaped(HOSTILE)}</cbc:DocumentDescription></cac:ContractDocumentReference>`;
  const terms = `<cac:PaymentTerms><cbc:Note>${escaped(HOSTILE)}</cbc:Note></cac:PaymentTerms><cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:AllowanceChargeReason>${escaped(HOSTILE)}</cbc:AllowanceChargeReason><cbc:Amount currencyID="MKD">1</cbc:Amount></cac:AllowanceCharge>`;
  return projectFile('docs/examples/invoice.xml')
    .replace('<cac:AccountingSupplierParty>', `${more}<cac:AccountingSupplierParty>`)
    .replace('<cac:TaxTotal>', `${terms}<cac:TaxTotal>`)
    .replace(
      '</cac:PaymentMeans>',
      '<cbc:PaymentID>1</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>1</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>',
    )
    .replaceAll('unitCode="C62"', `unitCode="${escaped(MARKUP[0] ?? '')}"`)
    .replace(/(<cbc:Note>)[^<]*/u, `$1${escaped(LONG)}`)
    .replace(TEXT_ELEMENT, `$1${escaped(HOSTILE)}`);
}

/** An invoice in which nothing at all is as it should be. */
export function nonsenseInvoice(): string {
  return projectFile('docs/examples/invoice.xml').replace(/(<cbc:[^>]*>)[^<]+/gu, `$1${escaped(HOSTILE)}`);
}

/** A document of the authority with such a text in place of every text. */
export function hostilePayload(): string {
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') return HOSTILE;
    if (Array.isArray(value)) return value.map(replaced);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner)]));
  };
  const { document } = replaced(ARRIVED) as { readonly document: { readonly header: object } };
  return JSON.stringify({ document: { ...document, header: { ...document.header, docNotes: LONG } } });
}
