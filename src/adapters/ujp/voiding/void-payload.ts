import type { UjpDocument, UjpItem, UjpPayload, UjpReference, UjpTotals, UjpVatTotal } from '../conversion/payload.ts';

/** The authority's reference: `voidReason` stands beside the document (§3.1). */
export type UjpVoidReason = {
  readonly voidCode: string;
  readonly voidReason: string;
  readonly voidComment: string | null;
};

type Changes = {
  readonly docId: string;
  readonly docNumber: string;
  readonly reference: UjpReference;
  readonly voidReason: UjpVoidReason;
};

/** A void is the document itself, with negative quantities and totals; unit prices stay positive, and so do rates. */
const NEGATED_IN_ITEM = [
  'docItemQty',
  'docItemTotalOriginalPriceWoVat',
  'docItemTotalPriceWoVat',
  'docItemTotalVat',
  'docItemTotalPriceWVat',
] as const satisfies readonly (keyof UjpItem)[];

const NEGATED_IN_TOTALS = [
  'docNetAmount',
  'docDiscountAmount',
  'docNetAmountDisc',
  'docVatAmount',
  'docGrossAmount',
  'docGrossAmountR',
  'docAvansAmount',
  'docFinalAmount',
] as const satisfies readonly (keyof UjpTotals)[];

const NEGATED_IN_VAT_TOTAL = [
  'vatTaxableAmount',
  'vatAmount',
  'vatTotalAmount',
] as const satisfies readonly (keyof UjpVatTotal)[];

/** Everything else is repeated as it is: the authority compares header and payment with the original (E50078 to E500718). */
export function voidPayload({ document }: Pick<UjpPayload, 'document'>, changes: Changes): object {
  const { docId, docNumber, reference, voidReason } = changes;
  const voided: Omit<UjpDocument, 'header'> & { readonly header: object } = {
    ...document,
    header: { ...document.header, docStorno: 1, docNumber, docId },
    docReferences: [reference],
    docItems: document.docItems.map((item) => negated(item, NEGATED_IN_ITEM)),
    docTotals: negated(document.docTotals, NEGATED_IN_TOTALS),
    vatTotals: document.vatTotals.map((row) => negated(row, NEGATED_IN_VAT_TOTAL)),
  };
  return { document: voided, voidReason };
}

/** Zero stays zero: JSON has no negative one, but programs do. */
function negated<Value extends object>(value: Value, members: readonly (keyof Value)[]): Value {
  const changed = members.flatMap((member) => {
    const amount = value[member];
    return typeof amount === 'number' && amount !== 0 ? [[member, -amount] as const] : [];
  });
  return { ...value, ...Object.fromEntries(changed) };
}
