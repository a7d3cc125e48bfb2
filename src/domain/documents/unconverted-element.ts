/** What elements that have no member in the authority's form are about: each kind is one warning. */
export type UnconvertedKind =
  | 'period'
  | 'period-detail'
  | 'delivery'
  | 'delivery-detail'
  | 'payee'
  | 'tax-representative'
  | 'other-party'
  | 'party-detail'
  | 'buyer-address'
  | 'account'
  | 'payment-detail'
  | 'buyer-reference'
  | 'accounting-cost'
  | 'project'
  | 'sales-order'
  | 'reference-detail'
  | 'attachment'
  | 'discrepancy'
  | 'allowance-detail'
  | 'tax-detail'
  | 'withholding-tax'
  | 'line-note'
  | 'line-period'
  | 'line-reference'
  | 'line-delivery'
  | 'item-detail'
  | 'price-detail'
  | 'sub-line'
  | 'extension'
  | 'other';

export type UnconvertedElement = {
  readonly kind: UnconvertedKind;
  readonly count: number;
  /** The first few of them. */
  readonly paths: readonly string[];
};
