import { type Edb, parseEdb } from '../../../domain/accounts/edb.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { unreadableMember } from '../answers/list-member.ts';
import { unlessNothingFound } from '../answers/nothing-found.ts';
import type { RegistryCompany } from '../conversion/conversion-context.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { catalogueService } from '../gateway/authority-service.ts';
import type { AuthorityQueries } from './authority-queries.ts';

const NOTHING_FOUND = ['E1000', 'E4008'];
const NO_COMPANY: JsonObject = { company: null };

/** Looks up a company in the authority's registry. The authority compares a document's parties with it, letter for letter. */
export function registryCompany(caller: AuthorityCaller): AuthorityQueries['company'] {
  return async (tenant, edb) => {
    const service = catalogueService(`companies/${encodeURIComponent(edb)}`);
    const { company } = await unlessNothingFound(caller.get(tenant, service), NOTHING_FOUND, NO_COMPANY);
    if (company === null) return null;
    const read = isJsonObject(company) ? readCompany(company, edb) : null;
    if (read === null) throw unreadableMember('company', service);
    return read;
  };
}

function readCompany(company: JsonObject, edb: Edb): RegistryCompany | null {
  const name = label(company['name']);
  const stated = label(company['taxNumber']) ?? edb;
  if (name === null || parseEdb(stated) !== edb) return null;
  const address = isJsonObject(company['address']) ? company['address'] : {};
  return {
    taxNumber: edb,
    vatNumber: label(company['vatNumber']),
    name,
    street: label(address['street']),
    number: label(address['number']),
    postalCode: label(address['zip']),
    city: label(address['city']),
  };
}

/** Neither trimmed nor case-folded: the document must repeat the text exactly. */
function label(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
