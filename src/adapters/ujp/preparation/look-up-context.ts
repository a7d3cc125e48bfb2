import type { ReadCachedCodeList } from '../../../application/code-lists/cached-code-list.ts';
import type { FindEarlier } from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { conversionLists } from '../code-lists/conversion-lists.ts';
import {
  type ConversionContext,
  DEFAULT_PAYMENT_TYPE,
  type ResolvedReference,
  type ServedExchangeRate,
  type ServedLists,
} from '../conversion/conversion-context.ts';
import type { NeededLookups } from '../conversion/needed-lookups.ts';
import type { AuthorityQueries } from '../services/authority-queries.ts';
import { lookUpParties } from './look-up-parties.ts';
import { createSharedAnswers, nullIfNotFound, required } from './shared-answers.ts';

export type PreparationQueries = Pick<
  AuthorityQueries,
  'company' | 'exchangeRate' | 'allowedIndicators' | 'findByNumber'
>;

type Needs = {
  readonly queries: PreparationQueries;
  readonly lists: ReadCachedCodeList;
  readonly clock: Clock;
};

/** A document may refer to thousands of others, and each query costs a second of the tenant's pace. */
const MAX_REFERENCE_QUERIES = 10;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What is looked up for a conversion: companies, rates, code lists and earlier documents. */
export type LookUpContext = (
  tenant: Tenant,
  docId: string,
  needed: NeededLookups,
  findEarlier: FindEarlier,
) => Promise<Omit<ConversionContext, 'leftOutReferences' | 'refusesReferences'>>;

/** Asks the authority for what conversions need, and remembers its answers for a while. */
export function createLookUpContext({ queries, lists, clock }: Needs): LookUpContext {
  const partiesOf = lookUpParties({ queries, clock });
  const rates = createSharedAnswers<ServedExchangeRate>(clock, { keptMs: 60 * MINUTE_MS, most: 1_000 });
  const indicators = createSharedAnswers<ServedLists['allowedIndicators']>(clock, { keptMs: DAY_MS, most: 100 });
  // The lists themselves are cached in the database; this avoids mapping their entries again for every document.
  const translated = createSharedAnswers<Omit<ServedLists, 'allowedIndicators'>>(clock, {
    keptMs: MINUTE_MS,
    most: 10,
  });

  return async (tenant, docId, needed, findEarlier) => {
    const served = await translated(tenant, 'lists', () => conversionLists(lists, tenant));
    return {
      tenantEdb: tenant.edb,
      docId,
      lists: { ...served, allowedIndicators: await allowedIndicators(tenant, needed) },
      ...(await partiesOf(tenant, needed)),
      exchangeRate: tenant.foreignCurrency ? await lookUpRate(tenant, needed) : null,
      references: await resolveReferences(tenant, needed, findEarlier),
      defaultPaymentType: DEFAULT_PAYMENT_TYPE,
      reverseChargeRate: tenant.reverseChargeRate,
      foreignCurrency: tenant.foreignCurrency,
    };
  };

  async function lookUpRate(tenant: Tenant, { exchangeRate }: NeededLookups): Promise<ServedExchangeRate | null> {
    if (exchangeRate === null) return null;
    const { currency, date } = exchangeRate;
    const ask = () => required(queries.exchangeRate(tenant, currency, date));
    return rates(tenant, `${currency} ${date}`, ask).catch(nullIfNotFound);
  }

  async function allowedIndicators(
    tenant: Tenant,
    { documentType }: NeededLookups,
  ): Promise<ServedLists['allowedIndicators']> {
    if (documentType === null) return [];
    return indicators(tenant, documentType, () => queries.allowedIndicators(tenant, documentType));
  }

  /** Searches our own documents first, then the authority's register, which also holds documents sent by other software. */
  async function resolveReferences(
    tenant: Tenant,
    { references }: NeededLookups,
    findEarlier: FindEarlier,
  ): Promise<readonly ResolvedReference[]> {
    const ours = references.length === 0 ? [] : await findEarlier(references);
    const found: ResolvedReference[] = [];
    let queried = 0;
    for (const [index, { number, date }] of references.entries()) {
      const own = ours[index] ?? null;
      const isQueried = own === null && date !== null && queried < MAX_REFERENCE_QUERIES;
      queried += isQueried ? 1 : 0;
      const earlier = isQueried ? await queries.findByNumber(tenant, number, date) : own;
      if (earlier !== null) found.push({ number, date, ...earlier });
    }
    return found;
  }
}
