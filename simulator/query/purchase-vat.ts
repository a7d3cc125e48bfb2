import { authorityError } from '../authority-error.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { asObject, type JsonObject } from '../json-object.ts';
import { payloadText } from '../request-checks/envelope.ts';
import type { PurchaseVatTotal, RegisteredDocument } from '../state/registered-document.ts';
import { type DocumentNeeds, ownDocument } from './document-services.ts';
import { textOf } from './request-members.ts';
import type { ServiceRequest } from './service.ts';

const NUMBERS = ['vatPercent', 'vatTaxableAmount', 'vatAmount', 'vatTotalAmount'] as const;
const TOLERANCE = 0.01;

/** Records how the buyer splits the VAT of a document between purchase tax indicators. */
export function allocatePurchaseVat(
  { state, catalogue, purchaseVatPeriodMs }: DocumentNeeds & { readonly purchaseVatPeriodMs: number },
  { caller, body, now }: ServiceRequest,
): JsonObject {
  const euid = textOf(body, 'euid');
  const totals = readTotals(body['purchaseVatTotals'], catalogue);
  const document = ownDocument(state, 'buyer', caller, euid, 'E4008');
  const { status, registeredAt } = document;
  if (status === '05' || status === '07' || status === '09') {
    throw authorityError('E5016', `Purchase VAT cannot be allocated in status ${status}`, 'euid');
  }
  if (now.getTime() > registeredAt + purchaseVatPeriodMs) {
    throw authorityError('E5014', 'The period for changing the purchase VAT is over', 'euid');
  }
  const allocated = totals.reduce((sum, { vatTaxableAmount }) => sum + vatTaxableAmount, 0);
  if (allocated > taxableAmount(document) + TOLERANCE) {
    throw authorityError('E1024', 'Purchase VAT taxable amount is above that of the document', 'purchaseVatTotals');
  }
  state.record({ kind: 'purchase-vat', euid, totals });
  return { euid, purchaseVatTotals: totals };
}

function readTotals(value: unknown, catalogue: Catalogue): readonly PurchaseVatTotal[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw authorityError('E4011', 'purchaseVatTotals must not be empty', 'purchaseVatTotals');
  }
  const totals = value.map((row) => readTotal(asObject(row) ?? {}, catalogue));
  const pairs = totals.map(({ purchaseVatTaxIndicator, vatCode }) => `${purchaseVatTaxIndicator} ${vatCode}`);
  if (new Set(pairs).size < pairs.length) {
    throw authorityError('E5015', 'A combination of indicator and tax group is given twice', 'purchaseVatTotals');
  }
  return totals;
}

function readTotal(row: JsonObject, catalogue: Catalogue): PurchaseVatTotal {
  const purchaseVatTaxIndicator = textOf(row, 'purchaseVatTaxIndicator');
  const vatCode = textOf(row, 'vatCode');
  if (catalogue.find('purchase-tax-indicators', purchaseVatTaxIndicator) === undefined) {
    throw authorityError('E1009', `Tax indicator ${purchaseVatTaxIndicator} not found`, 'purchaseVatTaxIndicator');
  }
  if (catalogue.find('tax-groups', vatCode) === undefined) {
    throw authorityError('E1004', `Tax group ${vatCode} not found`, 'vatCode');
  }
  const [vatPercent, vatTaxableAmount, vatAmount, vatTotalAmount] = NUMBERS.map((member) => {
    const number = row[member];
    if (typeof number !== 'number') throw authorityError('E4010', `${member} must be a number`, member);
    return number;
  }) as [number, number, number, number];
  return { purchaseVatTaxIndicator, vatCode, vatPercent, vatTaxableAmount, vatAmount, vatTotalAmount };
}

function taxableAmount({ jws }: RegisteredDocument): number {
  const { document } = JSON.parse(payloadText(jws)) as {
    readonly document: { readonly vatTotals: readonly { readonly vatTaxableAmount: number }[] };
  };
  return document.vatTotals.reduce((sum, { vatTaxableAmount }) => sum + vatTaxableAmount, 0);
}
