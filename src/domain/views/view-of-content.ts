import type {
  AllowanceCharge,
  Amount,
  InvoiceContent,
  InvoiceLine,
  PartyContent,
  PostalAddress,
} from '../documents/invoice-content.ts';
import { DENAR } from '../invoices/denar.ts';
import { documentTypeDirective } from '../invoices/document-type-directive.ts';
import { settlementPeriods, wholeDays } from '../invoices/payment-days.ts';
import { ADVANCE_INVOICE, CORRECTED_INVOICE, DEBIT_NOTES, isVat } from '../invoices/stated-codes.ts';
import { ratesIntoDenars } from '../invoices/stated-rate.ts';
import { within } from '../invoices/stated-totals.ts';
import { statedCompanyNumber, statedTaxNumber } from '../invoices/tax-numbers.ts';
import { compare, formatShortest, ONE, parseDecimal } from '../values/decimal.ts';
import type {
  DocumentView,
  TotalName,
  ViewedAllowance,
  ViewedLine,
  ViewedParty,
  ViewedTotal,
} from './document-view.ts';
import { KIND_OF_TYPE } from './kind-of-type.ts';
import { withCurrency } from './shown-numbers.ts';
import { ShownTexts } from './shown-texts.ts';
import { sumOfAmounts } from './sum-of-amounts.ts';
import { vatRows, vatTotal } from './vat-of-content.ts';

const NO_PROFILE = { value: null, scheme: null };

/** The accounts to pay to, in the order of the payment means; the content that is delivered has no place for them. */
export type PaymentAccounts = readonly (string | null)[];

/** What is shown of a UBL document. */
export function viewOfContent(content: InvoiceContent, accounts: PaymentAccounts): DocumentView {
  const shown = new ShownTexts();
  const { period, delivery, references, lines, currency } = content;
  const view: Omit<DocumentView, 'isCut'> = {
    kind: kindOf(content),
    typeName: shown.text(typeName(content)),
    amends: isCorrection(content) ? { how: 'correction', reasons: [] } : null,
    number: shown.text(content.number),
    issueDate: content.issueDate,
    supplyDate: content.taxPointDate,
    dueDates: shown.list(dueDates(content)),
    dueDays: dueDays(content),
    deliveryDate: delivery?.actualDate ?? null,
    period: period === null ? null : { start: period.start, end: period.end },
    currency: shown.code(currency),
    exchangeRate: denarsForOne(content),
    seller: party(content.supplier, shown),
    buyer: party(content.customer, shown),
    delivery: shown.texts([
      delivery?.partyName ?? null,
      delivery?.locationName ?? null,
      ...addressLines(delivery?.address ?? null),
      content.deliveryTerms,
    ]),
    references: shown.list(references).map(({ source, id, typeCode, description, issueDate }) => ({
      source,
      name: shown.text(description ?? (source === 'additional' ? typeCode : null)),
      number: shown.text(id.value),
      date: issueDate,
    })),
    lines: shown.lines(lines, (line) => viewedLine(line, currency, shown)),
    lineCount: lines.length,
    allowances: viewedAllowances(content.allowanceCharges, currency, shown),
    vat: vatRows(content, shown),
    totals: totals(content, shown),
    prepayments: shown
      .list(content.prepaidPayments.filter(namesPayment))
      .map(({ id, receivedDate }) => ({ number: shown.text(id), date: receivedDate })),
    payments: shown.list(content.paymentMeans).map((means, index) => ({
      code: shown.text(means.code),
      name: shown.text(means.name),
      dueDate: means.dueDate,
      account: shown.text(accounts[index] ?? null),
      references: shown.texts(means.paymentIds),
      notes: shown.notes(means.instructionNotes),
    })),
    paymentTerms: shown.notes(content.paymentTerms.flatMap(({ notes }) => notes)),
    interest: shown.texts(content.paymentTerms.map(({ penaltyPercent }) => percentage(penaltyPercent))),
    earlyDiscount: shown.texts(content.paymentTerms.map(({ discountPercent }) => percentage(discountPercent))),
    notes: shown.notes(content.notes),
  };
  return { ...view, isCut: shown.isCut };
}

function namesPayment({ id, receivedDate }: InvoiceContent['prepaidPayments'][number]): boolean {
  return id !== null || receivedDate !== null;
}

function percentage(percent: string | null): string | null {
  return percent === null ? null : `${percent} %`;
}

/** A type that a directive states, and that we have no word for, is called what it would be without. */
function kindOf(content: InvoiceContent): DocumentView['kind'] {
  const stated = KIND_OF_TYPE.get(documentTypeDirective(content)?.value ?? '');
  return stated ?? kindOfTypeCode(content);
}

function kindOfTypeCode({ kind, typeCode: { value } }: InvoiceContent): DocumentView['kind'] {
  if (kind === 'CreditNote') return 'credit-note';
  if (value === ADVANCE_INVOICE) return 'advance-invoice';
  return DEBIT_NOTES.includes(value ?? '') ? 'debit-note' : 'invoice';
}

/** A directive in its place is no name. */
function typeName(content: InvoiceContent): string | null {
  const { name } = content.typeCode;
  return documentTypeDirective({ ...content, references: [], profile: NO_PROFILE }) === null ? name : null;
}

/** Of the document and of its terms; that of a means of payment is shown with it. */
function dueDates({ dueDate, paymentTerms }: InvoiceContent): readonly string[] {
  const stated = [{ dueDate }, ...paymentTerms].flatMap((one) => one.dueDate ?? []);
  return [...new Set(stated)];
}

/** The one that is registered. */
function dueDays({ paymentTerms }: InvoiceContent): string | null {
  const [first] = settlementPeriods(paymentTerms).toPay;
  return first === undefined ? null : (wholeDays(first.settlementPeriod)?.toString() ?? null);
}

function isCorrection({ kind, typeCode }: InvoiceContent): boolean {
  return kind === 'Invoice' && typeCode.value === CORRECTED_INVOICE;
}

/** Null where the document does not state one rate that can be read: such a one is not registered either. */
function denarsForOne(content: InvoiceContent): string | null {
  const { currency } = content;
  if (currency === null || currency === DENAR) return null;
  const { readable, unreadable } = ratesIntoDenars(content, currency);
  const [first, ...others] = readable;
  if (first === undefined || unreadable.length > 0) return null;
  return others.every(({ agreesWith }) => agreesWith(first.rate)) ? formatShortest(first.rate) : null;
}

function party(stated: PartyContent, shown: ShownTexts): ViewedParty {
  const { name, address, country, telephone, contactName, email } = stated;
  return {
    name: shown.text(name),
    taxNumber: shown.text(statedTaxNumber(stated)?.value ?? null),
    companyNumber: shown.text(statedCompanyNumber(stated)?.value ?? null),
    address: shown.texts(addressLines(address)),
    country: shown.text(country),
    contact: shown.texts([contactName, telephone, email]),
  };
}

/** As on an envelope: street, then place. */
function addressLines(address: PostalAddress | null): readonly (string | null)[] {
  if (address === null) return [];
  const { street, buildingNumber, additionalStreet, postalZone, city, lines } = address;
  const joined = (...parts: readonly (string | null)[]) => {
    const text = parts.filter((part) => part !== null).join(' ');
    return text === '' ? null : text;
  };
  return [joined(street, buildingNumber), additionalStreet, ...lines, joined(postalZone, city)];
}

function viewedLine(line: InvoiceLine, currency: string | null, shown: ShownTexts): ViewedLine {
  const { id, quantity, lineExtension, price, item } = line;
  const { name, descriptions, sellersId, buyersId, standardId } = item;
  const [category] = item.taxCategories.filter(({ scheme }) => isVat(scheme));
  return {
    number: shown.code(id),
    name: shown.text(name),
    details: shown.texts([...descriptions, ...new Set([sellersId, buyersId, standardId])]),
    quantity: quantity?.value ?? null,
    unit: shown.code(quantity?.unit ?? null),
    unitPrice: amountIn(currency, price?.amount ?? null, shown),
    priceBase: priceBase(line, shown),
    vatPercent: category?.percent ?? null,
    allowances: viewedAllowances(line.allowanceCharges, currency, shown),
    net: amountIn(currency, lineExtension, shown),
  };
}

function priceBase({ quantity, price }: InvoiceLine, shown: ShownTexts): ViewedLine['priceBase'] {
  const base = price?.baseQuantity ?? null;
  const value = parseDecimal(base?.value ?? '');
  if (base === null || value === null) return null;
  const isSameUnit = base.unit === null || quantity === null || quantity.unit === null || base.unit === quantity.unit;
  return isSameUnit && compare(value, ONE) === 0 ? null : { quantity: base.value, unit: shown.code(base.unit) };
}

/** Every amount of the page is in the currency of the document: one in another has that behind it. */
function amountIn(currency: string | null, amount: Amount | null, shown: ShownTexts): string | null {
  if (amount === null || within(amount, currency) !== null) return amount?.value ?? null;
  return withCurrency(amount.value, shown.code(amount.currency) ?? '');
}

/** The amounts count as texts: every line may have many. */
function viewedAllowances(
  stated: readonly AllowanceCharge[],
  currency: string | null,
  shown: ShownTexts,
): readonly ViewedAllowance[] {
  return shown.list(stated).map(({ isCharge, reason, amount }) => ({
    isCharge,
    reason: shown.text(reason),
    amount: shown.text(amountIn(currency, amount, shown)),
  }));
}

function totals(content: InvoiceContent, shown: ShownTexts): readonly ViewedTotal[] {
  const { totals: stated, prepaidPayments, currency } = content;
  const own = (amount: Amount | null) => amountIn(currency, amount, shown);
  const amounts: readonly (readonly [TotalName, string | null])[] = [
    ['lines', own(stated.lineExtension)],
    ['allowances', own(stated.allowanceTotal)],
    ['charges', own(stated.chargeTotal)],
    ['net', own(stated.taxExclusive)],
    ['vat', vatTotal(content)],
    ['gross', own(stated.taxInclusive)],
    ['prepaid', own(stated.prepaid) ?? sumOfAmounts(currency, prepaidPayments, ({ amount }) => amount)],
    ['rounding', own(stated.rounding)],
    ['payable', own(stated.payable)],
  ];
  const isNamed = (name: TotalName) => name === 'prepaid' && prepaidPayments.some(namesPayment);
  return amounts.flatMap(([name, amount]) => (amount === null && !isNamed(name) ? [] : [{ name, amount }]));
}
