import type { ConversionWarning, ConversionWarningCode } from '../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import type { UnconvertedElement, UnconvertedKind } from '../../../domain/documents/unconverted-element.ts';
import { listed, type Message, message } from '../../../domain/messages/message.ts';
import type { ConversionContext } from './conversion-context.ts';
import { excerptOfPath, warning } from './conversion-failure.ts';

type Kind = readonly [ConversionWarningCode, what: Message];

export const KINDS_LEFT_OUT: Readonly<Record<UnconvertedKind, Kind>> = {
  period: ['PERIOD-LEFT-OUT', message('further-periods')],
  'period-detail': ['PERIOD-LEFT-OUT', message('period-details')],
  'line-period': ['PERIOD-LEFT-OUT', message('line-periods')],
  delivery: ['DELIVERY-LEFT-OUT', message('further-deliveries')],
  'delivery-detail': ['DELIVERY-LEFT-OUT', message('delivery-details')],
  'line-delivery': ['DELIVERY-LEFT-OUT', message('line-deliveries')],
  payee: ['PARTY-LEFT-OUT', message('payee')],
  'tax-representative': ['PARTY-LEFT-OUT', message('tax-representative')],
  'other-party': ['PARTY-LEFT-OUT', message('other-parties')],
  'party-detail': ['PARTY-LEFT-OUT', message('party-details')],
  'buyer-address': ['ADDRESS-LINE-LEFT-OUT', message('buyer-address-details')],
  account: ['ACCOUNT-LEFT-OUT', message('accounts')],
  'buyer-reference': ['BUYER-REFERENCE-LEFT-OUT', message('buyer-reference')],
  'accounting-cost': ['BUYER-REFERENCE-LEFT-OUT', message('accounting-cost')],
  project: ['REFERENCE-LEFT-OUT', message('project')],
  'sales-order': ['REFERENCE-LEFT-OUT', message('sales-order')],
  'reference-detail': ['REFERENCE-LEFT-OUT', message('reference-details')],
  'line-reference': ['REFERENCE-LEFT-OUT', message('line-references')],
  attachment: ['ATTACHMENT-LEFT-OUT', message('attachments')],
  'line-note': ['NOTE-LEFT-OUT', message('line-notes')],
  discrepancy: ['NOTE-LEFT-OUT', message('discrepancy')],
  'item-detail': ['ITEM-DETAIL-LEFT-OUT', message('item-details')],
  'allowance-detail': ['ELEMENT-LEFT-OUT', message('allowance-details')],
  'payment-detail': ['ELEMENT-LEFT-OUT', message('payment-details')],
  'price-detail': ['ELEMENT-LEFT-OUT', message('price-details')],
  'tax-detail': ['ELEMENT-LEFT-OUT', message('tax-details')],
  'withholding-tax': ['ELEMENT-LEFT-OUT', message('withholding-tax')],
  'sub-line': ['ELEMENT-LEFT-OUT', message('sub-lines')],
  extension: ['ELEMENT-LEFT-OUT', message('extensions')],
  other: ['ELEMENT-LEFT-OUT', message('other-elements')],
};

/** One warning for each kind of element that the authority's form has no member for. */
export function leftOutElements({ unconverted }: InvoiceContent, { buyer }: ConversionContext): ConversionWarning[] {
  // The address of a registered buyer is the register's, whatever the document states.
  const missed = unconverted.filter(({ kind }) => kind !== 'buyer-address' || buyer === null);
  return missed.map((elements) => leftOut(elements, ...KINDS_LEFT_OUT[elements.kind]));
}

function leftOut({ count, paths }: UnconvertedElement, code: ConversionWarningCode, what: Message): ConversionWarning {
  const [first = '', ...others] = paths;
  const sentence =
    others.length === 0
      ? message('no-member', { what })
      : message('no-member-in-places', { what, count, others: listed(others.map(excerptOfPath)) });
  return warning(code, sentence, first);
}
