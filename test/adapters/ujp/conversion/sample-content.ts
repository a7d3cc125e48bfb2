import assert from 'node:assert/strict';
import type { ConversionContext, RegistryCompany } from '../../../../src/adapters/ujp/conversion/conversion-context.ts';
import { type Conversion, convert } from '../../../../src/adapters/ujp/conversion/convert.ts';
import type { UjpPayload } from '../../../../src/adapters/ujp/conversion/payload.ts';
import type { Edb } from '../../../../src/domain/accounts/edb.ts';
import type { ConversionWarning } from '../../../../src/domain/documents/conversion-warning.ts';
import type {
  AllowanceCharge,
  Amount,
  Delivery,
  DocumentReference,
  ExchangeRate,
  InvoiceContent,
  InvoiceLine,
  MonetaryTotals,
  PartyContent,
  PartyIdentifier,
  PaymentMeans,
  PaymentTerms,
  PostalAddress,
  ReferenceSource,
  TaxCategory,
} from '../../../../src/domain/documents/invoice-content.ts';
import { inEnglish, render } from '../../../../src/domain/messages/render.ts';
import { ALFA_EDB, BETA_EDB } from '../../../support/ubl-samples.ts';
import { LISTS } from './authority-lists.ts';

/** Of a person born on 1 January 2006, made by the rule. */
export const PERSONAL_NUMBER = '0101006450009';

/** Sample documents that a test varies in one respect. Totals are absent unless a test is about them. */

export const ALFA: RegistryCompany = {
  taxNumber: ALFA_EDB,
  vatNumber: `МК${ALFA_EDB}`,
  name: 'АЛФА ДОО Скопје',
  street: 'Партизанска',
  number: '14',
  postalCode: '1000',
  city: 'Скопје',
};

export const BETA: RegistryCompany = {
  taxNumber: BETA_EDB,
  vatNumber: `МК${BETA_EDB}`,
  name: 'БЕТА ДООЕЛ Битола',
  street: 'Широк Сокак',
  number: '3',
  postalCode: '7000',
  city: 'Битола',
};

export const CONTEXT: ConversionContext = {
  tenantEdb: ALFA_EDB as Edb,
  docId: 'A1B2C3D4E5',
  lists: LISTS,
  seller: ALFA,
  buyer: BETA,
  exchangeRate: null,
  references: [],
  defaultPaymentType: 'P12',
  reverseChargeRate: 18,
  foreignCurrency: true,
  refusesReferences: new Set(),
  leftOutReferences: null,
};

export function identifier(
  source: PartyIdentifier['source'],
  value: string,
  taxScheme: string | null = null,
): PartyIdentifier {
  return { path: `/Invoice/party/${source}`, source, value, taxScheme };
}

export function address(more: Partial<PostalAddress> = {}): PostalAddress {
  return {
    path: '/Invoice/party/cac:PostalAddress',
    street: 'Ленинова',
    additionalStreet: null,
    buildingNumber: '7',
    city: 'Охрид',
    postalZone: '6000',
    lines: [],
    ...more,
  };
}

export function party(more: Partial<PartyContent> = {}): PartyContent {
  return {
    path: '/Invoice/party',
    name: 'Име од документот',
    identifiers: [],
    address: address(),
    country: null,
    telephone: null,
    contactName: null,
    email: null,
    ...more,
  };
}

export function denars(value: string): Amount {
  return { value, currency: 'MKD' };
}

export function category(id: string, percent: string | null, code: string | null = null): TaxCategory {
  return {
    path: '/Invoice/category',
    id,
    percent,
    exemptionReasonCode: code,
    exemptionReason: null,
    scheme: 'VAT',
  };
}

export function allowance(value: string, more: Partial<AllowanceCharge> = {}): AllowanceCharge {
  return {
    path: '/Invoice/cac:AllowanceCharge',
    isCharge: false,
    amount: denars(value),
    reason: null,
    taxCategories: [],
    ...more,
  };
}

type LineParts = Partial<Omit<InvoiceLine, 'item' | 'price'>> & {
  readonly price?: string;
  readonly base?: string;
  readonly priceAllowances?: readonly AllowanceCharge[];
  readonly listPrice?: string;
  readonly count?: string;
  readonly unit?: string | null;
  readonly tax?: TaxCategory;
  readonly item?: Partial<InvoiceLine['item']>;
};

export function line(parts: LineParts = {}): InvoiceLine {
  const { price = '100', base, priceAllowances = [], listPrice, count = '1', unit = 'C62', tax, item, ...more } = parts;
  return {
    path: '/Invoice/cac:InvoiceLine',
    id: '1',
    quantity: { value: count, unit },
    lineExtension: null,
    allowanceCharges: [],
    price: {
      path: '/Invoice/cac:InvoiceLine/cac:Price',
      amount: denars(price),
      baseQuantity: base === undefined ? null : { value: base, unit: null },
      listPrice: listPrice === undefined ? null : { path: '/Invoice/cac:InvoiceLine/list-price', value: listPrice },
      allowanceCharges: priceAllowances,
    },
    item: {
      path: '/Invoice/cac:InvoiceLine/cac:Item',
      name: 'Хартија',
      descriptions: [],
      sellersId: null,
      buyersId: null,
      standardId: null,
      originCountry: null,
      classifications: [],
      properties: [],
      taxCategories: [tax ?? category('S', '18')],
      ...item,
    },
    ...more,
  };
}

export function reference(
  source: ReferenceSource,
  id: string,
  more: Partial<DocumentReference> = {},
): DocumentReference {
  return {
    path: `/Invoice/reference-${source}`,
    source,
    id: { value: id, scheme: null },
    uuid: null,
    issueDate: '2026-10-01',
    typeCode: null,
    description: null,
    hasAttachment: false,
    ...more,
  };
}

export function delivery(more: Partial<Delivery>): Delivery {
  return {
    path: '/Invoice/cac:Delivery',
    actualDate: null,
    locationId: null,
    locationName: null,
    address: null,
    partyName: null,
    ...more,
  };
}

export function means(code: string | null, more: Partial<PaymentMeans> = {}): PaymentMeans {
  return {
    path: '/Invoice/cac:PaymentMeans',
    code,
    name: null,
    dueDate: null,
    instructionNotes: [],
    paymentIds: [],
    ...more,
  };
}

export function terms(more: Partial<PaymentTerms>): PaymentTerms {
  return {
    path: '/Invoice/cac:PaymentTerms',
    notes: [],
    dueDate: null,
    settlementPeriod: null,
    penaltyPercent: null,
    discountPercent: null,
    discountAmount: null,
    ...more,
  };
}

export function totals(stated: Partial<Record<keyof Omit<MonetaryTotals, 'path'>, string>> = {}): MonetaryTotals {
  const amount = (name: keyof typeof stated): Amount | null => {
    const value = stated[name];
    return value === undefined ? null : denars(value);
  };
  return {
    path: '/Invoice/cac:LegalMonetaryTotal',
    lineExtension: amount('lineExtension'),
    taxExclusive: amount('taxExclusive'),
    taxInclusive: amount('taxInclusive'),
    allowanceTotal: amount('allowanceTotal'),
    chargeTotal: amount('chargeTotal'),
    prepaid: amount('prepaid'),
    rounding: amount('rounding'),
    payable: amount('payable'),
    payableAlternative: amount('payableAlternative'),
  };
}

export function invoice(more: Partial<InvoiceContent> = {}): InvoiceContent {
  return {
    kind: 'Invoice',
    path: '/Invoice',
    number: '2026-7001',
    issueDate: '2026-11-02',
    dueDate: null,
    taxPointDate: null,
    typeCode: { value: '380', name: null },
    profile: { value: null, scheme: null },
    notes: [],
    currency: 'MKD',
    period: null,
    references: [],
    supplier: party({ identifiers: [identifier('tax-scheme', `МК${ALFA_EDB}`, 'VAT')], country: 'MK' }),
    customer: party({ identifiers: [identifier('tax-scheme', BETA_EDB, 'VAT')], country: 'MK' }),
    delivery: null,
    deliveryTerms: null,
    paymentMeans: [means('30')],
    paymentTerms: [],
    prepaidPayments: [],
    allowanceCharges: [],
    exchangeRates: [],
    taxTotals: [],
    totals: totals(),
    lines: [line()],
    unconverted: [],
    unreadable: [],
    ...more,
  };
}

/** The rate of the euro that a document states. */
export function rate(more: Partial<ExchangeRate> = {}): ExchangeRate {
  return {
    path: '/Invoice/cac:PaymentExchangeRate',
    sourceCurrency: 'EUR',
    sourceBaseRate: null,
    targetCurrency: 'MKD',
    targetBaseRate: null,
    rate: '61.695',
    operator: 'multiply',
    date: '2026-10-30',
    ...more,
  };
}

export function inEuros(more: Partial<InvoiceContent> = {}): InvoiceContent {
  const { price, ...own } = line();
  const amount = { value: '10.10', currency: 'EUR' };
  const lines = [{ ...own, price: price === null ? null : { ...price, amount } }];
  return invoice({ currency: 'EUR', lines, exchangeRates: [rate()], ...more });
}

export function creditNote(more: Partial<InvoiceContent> = {}): InvoiceContent {
  return invoice({ kind: 'CreditNote', path: '/CreditNote', typeCode: { value: '381', name: null }, ...more });
}

/** One sentence that begins with a Macedonian word or a quotation, with its place. */
const MACEDONIAN = /^[\p{Script=Cyrillic}„].*\(…?\/[^()]*\)\.$/su;

export type Converted = Extract<Conversion, { readonly outcome: 'converted' }>;

export function converted(content: InvoiceContent, context: Partial<ConversionContext> = {}): Converted {
  const conversion = convert(content, { ...CONTEXT, ...context });
  assert.ok(conversion.outcome === 'converted', JSON.stringify(conversion));
  for (const { code, text, path, sentence } of conversion.warnings) {
    assert.ok(sentence !== undefined, code);
    assert.equal(inEnglish(sentence), text);
    if (path !== null) assert.match(render('mk', [sentence]), MACEDONIAN, text);
  }
  return conversion;
}

/** The sentences of warnings. */
export function texts(warnings: readonly ConversionWarning[]): readonly string[] {
  return warnings.map(({ text }) => text);
}

export function documentOf(content: InvoiceContent, context: Partial<ConversionContext> = {}): UjpPayload['document'] {
  return converted(content, context).payload.document;
}

/** The message of a failure with that code. */
export function failureOf(
  content: InvoiceContent,
  code: 'NOT-EXPRESSIBLE' | 'SUPPLIER-MISMATCH' | 'TOTALS-MISMATCH' = 'NOT-EXPRESSIBLE',
  context: Partial<ConversionContext> = {},
): string {
  const conversion = convert(content, { ...CONTEXT, ...context });
  assert.ok(conversion.outcome === 'failed', 'converted, though it should fail');
  assert.equal(conversion.failureCode, code, conversion.message);
  assert.match(conversion.message, /^\S.*\(…?\/[^()]*\)\.$/su, 'one sentence with its place');
  assert.match(render('mk', conversion.sentences), MACEDONIAN, 'the same in Macedonian');
  return conversion.message;
}
