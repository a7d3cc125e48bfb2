import { parseEdb } from '../../../../domain/accounts/edb.ts';
import { foldedTaxNumber } from '../../../../domain/accounts/tax-number.ts';
import type { Sql } from '../../engine.ts';
import type { ListName } from '../../list-index/list-index.ts';

/**
 * The tax number of a partner in the forms in which documents show it, however it is asked for: blanks and the prefix of a country do not
 * matter, as in the lists of the API. One null where it does not matter. The numbers of each tenant are looked up in its index.
 */
export async function shownNumbers(
  sql: Sql,
  list: ListName,
  asked: string | null,
): Promise<readonly (string | null)[]> {
  if (asked === null) return [null];
  const edb = parseEdb(asked);
  if (edb !== null) return [edb];
  const shown = asked.trim();
  const rows = await sql.all<{ scope: string }>(
    `select distinct scope from tenant cross join partner_number
     where partner_number.tenant = tenant.edb and list = $1 and number = $2`,
    [list, foldedTaxNumber(shown)],
  );
  return [...new Set([shown, ...rows.map(({ scope }) => scope)])];
}
