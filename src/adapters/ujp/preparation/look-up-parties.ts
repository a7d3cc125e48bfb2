import { AuthorityCallError } from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { message } from '../../../domain/messages/message.ts';
import { inEnglish } from '../../../domain/messages/render.ts';
import type { RegistryCompany } from '../conversion/conversion-context.ts';
import type { NeededLookups } from '../conversion/needed-lookups.ts';
import type { AuthorityQueries } from '../services/authority-queries.ts';
import { createSharedAnswers, nullIfNotFound, required } from './shared-answers.ts';

type Needs = { readonly queries: Pick<AuthorityQueries, 'company'>; readonly clock: Clock };

type Parties = { readonly seller: RegistryCompany | null; readonly buyer: RegistryCompany | null };

const MINUTE_MS = 60_000;
const MOST_COMPANIES = 10_000;

/**
 * Finds seller and buyer in the taxpayers' register. The tenant itself is there: a register that does not find it finds nobody,
 * and every document that is sent meanwhile would be rejected for its names (E10002), which is final.
 */
export function lookUpParties({ queries, clock }: Needs) {
  // Long enough for a batch to the same buyers, short enough to notice a change in the register soon.
  const companies = createSharedAnswers<RegistryCompany>(clock, { keptMs: 10 * MINUTE_MS, most: MOST_COMPANIES });
  // So long a register that found somebody is trusted when it does not find somebody else.
  const recent = createSharedAnswers<RegistryCompany>(clock, { keptMs: MINUTE_MS, most: MOST_COMPANIES });

  const ask = (tenant: Tenant, edb: Edb) => required(queries.company(tenant, edb));
  const askRecently = (tenant: Tenant, edb: Edb) => recent(tenant, edb, () => ask(tenant, edb));

  async function find(tenant: Tenant, edb: Edb | null): Promise<RegistryCompany | null> {
    if (edb === null) return null;
    return companies(tenant, edb, () => askRecently(tenant, edb)).catch(nullIfNotFound);
  }

  return async (tenant: Tenant, needed: Pick<NeededLookups, 'seller' | 'buyer'>): Promise<Parties> => {
    const seller = await find(tenant, needed.seller);
    const buyer = await find(tenant, needed.buyer);
    // A document of another seller fails for that reason.
    if (needed.seller !== tenant.edb) return { seller, buyer };
    const isBuyerMissing = needed.buyer !== null && buyer === null;
    const self = isBuyerMissing ? await askRecently(tenant, tenant.edb).catch(nullIfNotFound) : seller;
    if (self === null) refuseRegister(tenant);
    return { seller, buyer };
  };
}

function refuseRegister({ edb }: Tenant): never {
  const reason = message('taxpayer-not-in-register', { taxpayer: edb });
  throw new AuthorityCallError(inEnglish(reason), { kind: 'request-refused', reason });
}
