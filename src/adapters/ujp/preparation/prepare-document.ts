import type { ReadCachedCodeList } from '../../../application/code-lists/cached-code-list.ts';
import {
  type Authority,
  AuthorityCallError,
  type EarlierDocument,
  type FindEarlier,
} from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { servedLists } from '../code-lists/served-lists.ts';
import {
  type ConversionContext,
  DEFAULT_PAYMENT_TYPE,
  type RegistryCompany,
  type ResolvedReference,
  type ServedExchangeRate,
  type ServedLists,
} from '../conversion/conversion-context.ts';
import type { NeededLookups } from '../conversion/needed-lookups.ts';
import type { Converter } from './converter.ts';
import { documentId } from './document-id.ts';
import { remembered } from './remembered.ts';

/** What has to be asked of the authority beside its lists. */
export type PreparationQueries = {
  readonly company: (tenant: Tenant, edb: Edb) => Promise<RegistryCompany | null>;
  readonly exchangeRate: (tenant: Tenant, currency: string, date: string) => Promise<ServedExchangeRate | null>;
  readonly allowedIndicators: (tenant: Tenant, docTypeCode: string) => Promise<ServedLists['allowedIndicators']>;
  readonly findByNumber: (tenant: Tenant, docNumber: string, docDate: string) => Promise<EarlierDocument | null>;
};

type Needs = {
  readonly converter: Pick<Converter, 'open'>;
  readonly queries: PreparationQueries;
  readonly lists: ReadCachedCodeList;
  readonly clock: Clock;
};

/** A document may name thousands of others; the authority is asked for so many of them, one a second. */
const MOST_ASKED_FOR = 10;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Turns documents into the authority's form, with the companies, rates and lists that it serves. */
export function prepareDocument({ converter, queries, lists, clock }: Needs): Authority['prepare'] {
  // Long enough for a batch to the same buyers, short enough that a change in the register is soon seen.
  const companies = remembered<RegistryCompany>(clock, { keptMs: 10 * MINUTE_MS, most: 10_000 });
  const rates = remembered<ServedExchangeRate>(clock, { keptMs: 60 * MINUTE_MS, most: 1_000 });
  const indicators = remembered<ServedLists['allowedIndicators']>(clock, { keptMs: DAY_MS, most: 100 });
  // The lists themselves are cached in the database; this spares their translation for every single document.
  const translated = remembered<Omit<ServedLists, 'allowedIndicators'>>(clock, { keptMs: MINUTE_MS, most: 10 });

  return async (tenant, docUid, content, findEarlier) => {
    const document = await converter.open(content);
    const docId = documentId(tenant.edb, docUid);
    return document.convert(await contextOf(tenant, docId, document.needed, findEarlier));
  };

  async function contextOf(
    tenant: Tenant,
    docId: string,
    needed: NeededLookups,
    findEarlier: FindEarlier,
  ): Promise<ConversionContext> {
    const { environment } = tenant;
    const served = await inOwnName(translated, environment, () => servedLists(lists, tenant));
    return {
      tenantEdb: tenant.edb,
      docId,
      lists: { ...served, allowedIndicators: await allowed(tenant, needed) },
      seller: await company(tenant, needed.seller),
      buyer: await company(tenant, needed.buyer),
      exchangeRate: await rate(tenant, needed),
      references: await resolved(tenant, needed, findEarlier),
      defaultPaymentType: DEFAULT_PAYMENT_TYPE,
    };
  }

  async function company(tenant: Tenant, edb: Edb | null): Promise<RegistryCompany | null> {
    if (edb === null) return null;
    const ask = () => there(queries.company(tenant, edb));
    return inOwnName(companies, `${tenant.environment} ${edb}`, ask).catch(nullWhereMissing);
  }

  async function rate(tenant: Tenant, { exchangeRate }: NeededLookups): Promise<ServedExchangeRate | null> {
    if (exchangeRate === null) return null;
    const { currency, date } = exchangeRate;
    const ask = () => there(queries.exchangeRate(tenant, currency, date));
    return inOwnName(rates, `${tenant.environment} ${currency} ${date}`, ask).catch(nullWhereMissing);
  }

  async function allowed(tenant: Tenant, { documentType }: NeededLookups): Promise<ServedLists['allowedIndicators']> {
    if (documentType === null) return [];
    const name = `${tenant.environment} ${documentType}`;
    return inOwnName(indicators, name, () => queries.allowedIndicators(tenant, documentType));
  }

  /** Among our own documents first, then in the authority's register: it may have come there by other ways. */
  async function resolved(
    tenant: Tenant,
    { references }: NeededLookups,
    findEarlier: FindEarlier,
  ): Promise<readonly ResolvedReference[]> {
    const found: ResolvedReference[] = [];
    let asked = 0;
    for (const { number, date } of references) {
      const ours = await findEarlier(number, date);
      const isAsked = ours === null && date !== null && asked < MOST_ASKED_FOR;
      asked += isAsked ? 1 : 0;
      const earlier = isAsked ? await queries.findByNumber(tenant, number, date) : ours;
      if (earlier !== null) found.push({ number, date, ...earlier });
    }
    return found;
  }
}

/**
 * Tenants share the answers, but each question is asked in the name of one of them: what fails because of who asked is
 * asked again in the own name.
 */
async function inOwnName<Value>(
  memory: (name: string, ask: () => Promise<Value>) => Promise<Value>,
  name: string,
  ask: () => Promise<Value>,
): Promise<Value> {
  try {
    return await memory(name, ask);
  } catch (error) {
    if (error instanceof AuthorityCallError && error.kind === 'credentials') return ask();
    throw error;
  }
}

/** Thrown, so that nobody remembers it: what is missing now may be there when the document is requeued. */
class Missing extends Error {
  override readonly name = 'Missing';
}

async function there<Value>(answer: Promise<Value | null>): Promise<Value> {
  const value = await answer;
  if (value === null) throw new Missing();
  return value;
}

function nullWhereMissing(error: unknown): null {
  if (error instanceof Missing) return null;
  throw error;
}
