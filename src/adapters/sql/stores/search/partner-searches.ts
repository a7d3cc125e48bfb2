import { type Edb, parseEdb } from '../../../../domain/accounts/edb.ts';
import type { Sql, SqlValue } from '../../engine.ts';
import type { ListName } from '../../list-index/list-index.ts';
import { askedNumbers, scopesOfPartner } from '../../list-index/partner-numbers.ts';

type Asked = { readonly tenant: Edb | null; readonly partner: string | null };

/** One form in which documents show the number of a partner, and whose documents are looked through for it. */
export type PartnerSearch = Asked & { readonly except: readonly SqlValue[] };

/**
 * What is looked for where documents of a partner are asked for, however its number is written: the same documents that the lists of the API
 * have. A number can mean different partners to different tenants: those that have foreign partners with such a number are looked up one by one.
 */
export async function partnerSearches(
  sql: Sql,
  list: ListName,
  { tenant, partner }: Asked,
): Promise<readonly PartnerSearch[]> {
  if (partner === null) return [{ tenant, partner, except: [] }];
  const rows = await sql.all<{ tenant: Edb }>(
    `select distinct partner_number.tenant from tenant cross join partner_number
     where partner_number.tenant = tenant.edb and list = $1 and number in ($2, $3, $4, $5, $6)`,
    [list, ...askedNumbers(partner)],
  );
  const special = rows.map((row) => row.tenant).filter((one) => tenant === null || one === tenant);
  const scopes = await Promise.all(special.map((one) => scopesOfPartner(sql, one, list, partner)));
  const ofSpecial = special.flatMap((one, index) =>
    (scopes[index] ?? []).map((scope) => ({ tenant: one, partner: scope, except: [] })),
  );
  if (tenant !== null && special.length > 0) return ofSpecial;
  return [...ofSpecial, { tenant, partner: parseEdb(partner) ?? partner.trim(), except: special }];
}
