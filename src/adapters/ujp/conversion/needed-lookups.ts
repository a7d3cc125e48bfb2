import type { Edb } from '../../../domain/accounts/edb.ts';
import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import { mappedType } from './document-type.ts';
import { identityOf, statedEdb } from './parties/party-identity.ts';
import { isUnresolved } from './references/references.ts';
import { statedRate } from './totals/currency.ts';
import { DENAR } from './totals/money.ts';

/** What must be looked up at the authority before a document can be converted. */
export type NeededLookups = {
  /** Taxpayers to find in the registry; null if the document names none. */
  readonly seller: Edb | null;
  readonly buyer: Edb | null;
  readonly exchangeRate: { readonly currency: string; readonly date: string } | null;
  /** Earlier documents of the tenant, by the number and date in the reference. */
  readonly references: readonly { readonly number: string; readonly date: string | null }[];
  /** The authority's document type, whose allowed tax indicators are needed; null if there is none. */
  readonly documentType: string | null;
};

export function neededLookups(content: InvoiceContent): NeededLookups {
  const buyer = identityOf(content.customer);
  const references = content.references.filter(isUnresolved);
  return {
    seller: statedEdb(content.supplier),
    buyer: buyer.kind === 'company' ? buyer.edb : null,
    exchangeRate: neededRate(content),
    references: references.flatMap(({ id, issueDate }) =>
      id.value === null ? [] : { number: id.value, date: issueDate },
    ),
    documentType: mappedType(content)?.code ?? null,
  };
}

function neededRate(content: InvoiceContent): NeededLookups['exchangeRate'] {
  const { currency, issueDate: date } = content;
  if (currency === null || currency === DENAR || date === null || statedRate(content, currency) !== null) return null;
  return { currency, date };
}
