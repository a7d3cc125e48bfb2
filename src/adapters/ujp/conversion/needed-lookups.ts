import type { ReferredDocument } from '../../../application/ports/authority.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import { DENAR } from '../../../domain/invoices/denar.ts';
import { ratesIntoDenars } from '../../../domain/invoices/stated-rate.ts';
import { mappedType } from './document-type.ts';
import { numberInRegistry, statedEdb } from './parties/party-identity.ts';
import { isUnresolved, referenceKey } from './references/references.ts';

/** What must be looked up at the authority before a document can be converted. */
export type NeededLookups = {
  /** Taxpayers to find in the registry; null if the document names none. */
  readonly seller: Edb | null;
  readonly buyer: Edb | null;
  readonly exchangeRate: { readonly currency: string; readonly date: string } | null;
  /** Earlier documents of the tenant, by the number and date in the reference. */
  readonly references: readonly ReferredDocument[];
  /** The authority's document type, whose allowed tax indicators are needed; null if there is none. */
  readonly documentType: string | null;
};

/**
 * No document needs more; thousands of references would hold up every other document of the tenant. References beyond these are
 * taken as they are stated.
 */
const MAX_REFERENCES = 1_000;

/** The authority takes 20 characters; the index of our own documents holds 60. A longer number is nowhere to be found. */
const MAX_NUMBER_LENGTH = 60;

export function neededLookups(content: InvoiceContent): NeededLookups {
  return {
    seller: statedEdb(content.supplier),
    buyer: numberInRegistry(content.customer),
    exchangeRate: neededRate(content),
    references: neededReferences(content),
    documentType: mappedType(content, null)?.code ?? null,
  };
}

/** Each number and date once, in the order in which they are first named. */
function neededReferences({ references }: InvoiceContent): NeededLookups['references'] {
  const needed = references.filter(isUnresolved).flatMap(({ id, issueDate }) => {
    const isLookedUp = id.value !== null && id.value.length <= MAX_NUMBER_LENGTH;
    return isLookedUp ? { number: id.value, date: issueDate } : [];
  });
  const distinct = new Map(needed.map((one) => [referenceKey(one.number, one.date), one]));
  return [...distinct.values()].slice(0, MAX_REFERENCES);
}

/** Also where the stated rate is an inverse or an unusual one, which the National Bank's confirms. */
function neededRate(content: InvoiceContent): NeededLookups['exchangeRate'] {
  const { currency, issueDate: date } = content;
  if (currency === null || currency === DENAR || date === null) return null;
  const { readable, unreadable } = ratesIntoDenars(content, currency);
  const [first] = readable;
  const isSure = first !== undefined && !first.isInverse && !first.isUnusual;
  return unreadable.length > 0 || isSure ? null : { currency, date };
}
