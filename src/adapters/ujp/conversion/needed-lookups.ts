import type { Edb } from '../../../domain/accounts/edb.ts';
import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import { plannedType } from './document-type.ts';
import { identityOf, statedEdb } from './parties/party-identity.ts';
import { isUnresolved } from './references/references.ts';
import { statedRate } from './totals/currency.ts';
import { DENAR } from './totals/money.ts';

/** What must be looked up before a document can be converted. */
export type NeededLookups = {
  /** Taxpayers to find in the registry, each once; null where the document names none. */
  readonly seller: Edb | null;
  readonly buyer: Edb | null;
  readonly exchangeRate: { readonly currency: string; readonly date: string } | null;
  /** Earlier documents of the tenant, by the number and date that this one gives. */
  readonly references: readonly { readonly number: string; readonly date: string | null }[];
  /** The authority's type of the document, for the tax indicators that it allows; null where it has none. */
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
    documentType: plannedType(content)?.code ?? null,
  };
}

function neededRate(content: InvoiceContent): NeededLookups['exchangeRate'] {
  const { currency, issueDate: date } = content;
  if (currency === null || currency === DENAR || date === null || statedRate(content, currency) !== null) return null;
  return { currency, date };
}
