import { DENAR } from '../invoices/denar.ts';
import { formatShortest, parseDecimal, subtract } from '../values/decimal.ts';
import type { DocumentView, TotalName, ViewedLine, ViewedParty, ViewedTotal } from './document-view.ts';
import { KIND_OF_TYPE } from './kind-of-type.ts';
import { ShownTexts } from './shown-texts.ts';

type Members = Readonly<Record<string, unknown>>;

const DATE = /^\d{4}-\d{2}-\d{2}/u;
const EXPONENT = /e/iu;
/** No form of the authority has more decimals, and no number of a document more digits before them. */
const MOST_DECIMALS = 10;
const LARGEST = 1e15;

/** The member with the reason, then the reason and what the seller adds to it. */
const REASONS = {
  void: ['voidReason', 'voidReason', 'voidComment'],
  correction: ['correctionReason', 'correctionReason', 'correctionReasonComment'],
} as const;

/** The values of `docStorno` that change an earlier document. */
const AMENDS: ReadonlyMap<string, keyof typeof REASONS> = new Map([
  ['1', 'void'],
  ['2', 'correction'],
]);

/**
 * What is shown of a document in the authority's JSON form. The form may change and whoever issued the document may have written anything
 * into it: each member is shown if it is as expected, and left out if not. Null where there is no document at all.
 */
export function viewOfPayload(payload: unknown): DocumentView | null {
  const { document } = members(payload);
  if (typeof document !== 'object' || document === null) return null;
  const shown = new ShownTexts();
  const { header, seller, buyer, docPayment, docItems, docReferences, vatTotals, docTotals } = members(document);
  const head = members(header);
  const payment = members(docPayment);
  const items = list(docItems);
  const prepaid = prepayments(members(docTotals), shown);
  const view: Omit<DocumentView, 'isCut'> = {
    kind: KIND_OF_TYPE.get(text(head['docType']) ?? '') ?? 'document',
    typeName: shown.text(text(head['docTypeName'])),
    amends: amends(head, members(payload), shown),
    number: shown.text(text(head['docNumber'])),
    issueDate: date(head['docDate']),
    supplyDate: date(head['docTurnoverDate']),
    dueDates: [date(payment['docPaymentTypeDueDate'])].filter((one) => one !== null),
    dueDays: number(payment['docPaymentTypeDueDays']),
    deliveryDate: date(head['docDeliveryDate']),
    period: period(head),
    currency: shown.code(text(payment['docCurrencyCode'])),
    exchangeRate: text(payment['docCurrencyCode']) === DENAR ? null : number(payment['docCurrencyExchRate']),
    seller: party('seller', members(seller), shown),
    buyer: party('buyer', members(buyer), shown),
    delivery: shown.texts([text(head['docDelivery'])]),
    references: shown.list(list(docReferences)).map((one) => ({
      source: null,
      name: shown.text(text(one['docNameRef']) ?? text(one['docTypeRef'])),
      number: shown.text(text(one['docNumberRef'])),
      date: date(one['docDateRef']),
    })),
    lines: shown.lines(items, (item) => line(item, shown)),
    lineCount: items.length,
    allowances: [],
    vat: shown.list(list(vatTotals)).map((row) => ({
      code: shown.code(text(row['vatTaxIndicator'])),
      percent: number(row['vatPercent']),
      note: shown.text(text(row['vatTaxIndicatorNote'])),
      taxable: number(row['vatTaxableAmount']),
      vat: number(row['vatAmount']),
    })),
    totals: totals(members(docTotals), prepaid.length > 0),
    prepayments: prepaid,
    payments: payments(payment, shown),
    paymentTerms: shown.notes([text(payment['docPaymentTerms'])]),
    interest: shown.notes([text(payment['docPaymentInterest'])]),
    earlyDiscount: shown.notes([text(payment['docPaymentDiscount'])]),
    notes: shown.notes(['docHeader', 'docNotes', 'docFooter'].map((name) => text(head[name]))),
  };
  return { ...view, isCut: shown.isCut };
}

function party(role: 'seller' | 'buyer', stated: Members, shown: ShownTexts): ViewedParty {
  const member = (name: string) => text(stated[`${role}${name}`]);
  const address = members(stated[`${role}Address`]);
  const joined = (...names: readonly string[]) => names.flatMap((name) => text(address[name]) ?? []).join(' ');
  return {
    name: shown.text(member('Name')),
    taxNumber: shown.text(member('VatNumber') ?? member('Tin') ?? member('ForeignTin')),
    companyNumber: null,
    address: shown.texts(
      [
        joined('streetAddress', 'streetNumber'),
        joined('postalCode', 'city'),
        member('SubsidiaryName'),
        member('SubsidiaryAddress'),
      ].map((one) => (one === '' ? null : one)),
    ),
    country: shown.text(member('CCode') ?? member('CName')),
    contact: shown.texts([member('Contact'), member('Email')]),
  };
}

function line(item: Members, shown: ShownTexts): ViewedLine {
  return {
    number: number(item['docItemLineNo']),
    name: shown.text(text(item['docItemDesc'])),
    details: shown.texts([
      ...new Set([text(item['docItemSku']), text(item['docItemSenderCode']), text(item['docItemReceiverCode'])]),
    ]),
    quantity: number(item['docItemQty']),
    unit: shown.code(text(item['docItemMUnit'])),
    unitPrice: number(item['docItemUnitPriceWoVat']),
    priceBase: null,
    vatPercent: number(item['docItemVat']),
    allowances: [],
    net: number(item['docItemTotalPriceWoVat']),
  };
}

function period(head: Members): DocumentView['period'] {
  const [start, end] = [date(head['docPeriodStartDate']), date(head['docPeriodEndDate'])];
  return start === null && end === null ? null : { start, end };
}

function payments(payment: Members, shown: ShownTexts): DocumentView['payments'] {
  const name = shown.text(text(payment['docPaymentTypeDesc']) ?? text(payment['docPaymentTypeCode']));
  const notes = shown.notes([text(payment['docPaymentNote'])]);
  if (name === null && notes.length === 0) return [];
  return [{ code: null, name, dueDate: date(payment['docPaymentTypeDueDate']), account: null, references: [], notes }];
}

/** Several numbers are one text, with the last date. */
function prepayments(stated: Members, shown: ShownTexts): DocumentView['prepayments'] {
  const [number, received] = [shown.text(text(stated['docAvansDesc'])), date(stated['docAvansDate'])];
  return number === null && received === null ? [] : [{ number, date: received }];
}

/** The authority rounds the total with VAT; what is paid follows from the rounded one. */
function totals(stated: Members, isPrepaymentNamed: boolean): readonly ViewedTotal[] {
  const [discount, prepaid] = [ifAny(stated['docDiscountAmount']), stated['docAvansAmount']];
  const [gross, rounded] = [number(stated['docGrossAmount']), number(stated['docGrossAmountR'])];
  const amounts: readonly (readonly [TotalName, string | null])[] = [
    // The amounts of the lines are those after discounts.
    [discount === null ? 'lines' : 'before-allowances', number(stated['docNetAmount'])],
    ['allowances', discount],
    ['net', number(stated['docNetAmountDisc'])],
    ['vat', number(stated['docVatAmount'])],
    ['gross', gross ?? rounded],
    ['prepaid', isPrepaymentNamed ? number(prepaid) : ifAny(prepaid)],
    ['rounding', difference(rounded, gross)],
    ['payable', number(stated['docFinalAmount'])],
  ];
  const isNamed = (name: TotalName) => name === 'prepaid' && isPrepaymentNamed;
  return amounts.flatMap(([name, amount]) => (amount === null && !isNamed(name) ? [] : [{ name, amount }]));
}

/** Of those that say nothing when they are zero. */
function ifAny(value: unknown): string | null {
  const stated = number(value);
  return stated === '0' ? null : stated;
}

/** Null where there is none. */
function difference(left: string | null, right: string | null): string | null {
  const [minuend, subtrahend] = [parseDecimal(left ?? ''), parseDecimal(right ?? '')];
  return minuend === null || subtrahend === null ? null : ifAny(formatShortest(subtract(minuend, subtrahend)));
}

function amends(head: Members, payload: Members, shown: ShownTexts): DocumentView['amends'] {
  const how = AMENDS.get(number(head['docStorno']) ?? '');
  if (how === undefined) return null;
  const [holder, ...names] = REASONS[how];
  const reason = members(payload[holder]);
  return { how, reasons: shown.notes(names.map((name) => text(reason[name]))) };
}

function members(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function list(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(members) : [];
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function date(value: unknown): string | null {
  return typeof value === 'string' ? (DATE.exec(value)?.[0] ?? null) : null;
}

/** A number as the authority writes it, or a text of digits; without an exponent. */
function number(value: unknown): string | null {
  if (typeof value === 'string') {
    const stated = parseDecimal(value.trim());
    return stated === null ? null : formatShortest(stated);
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) >= LARGEST) return null;
  const stated = parseDecimal(EXPONENT.test(String(value)) ? value.toFixed(MOST_DECIMALS) : String(value));
  return stated === null ? null : formatShortest(stated);
}
