import { type Edb, parseEdb } from '../../../domain/accounts/edb.ts';
import { countryCode, foldedTaxNumber, foreignSpellings } from '../../../domain/accounts/tax-number.ts';
import type { Sql } from '../engine.ts';
import { type Insertion, insertRows } from '../row-lists.ts';
import type { ListName, Place } from './list-index.ts';

type NumberRow = { readonly number: string; readonly scope: string; readonly country: string };

const HOME_PREFIXES = ['MK', 'МК'] as const;
const UNKNOWN_COUNTRY = '';

const PARTNER_NUMBER: Insertion = {
  table: 'partner_number',
  columns: { tenant: 'text', list: 'text', number: 'text', scope: 'text', country: 'text' },
  onConflict: 'on conflict (tenant, list, number, scope, country) do nothing',
};

/** Records by which numbers the documents of partners are found; nothing for one in North Macedonia, or without a number. */
export async function rememberPartners(
  sql: Sql,
  list: ListName,
  places: readonly (Place & { readonly country: string | null })[],
): Promise<void> {
  const rows = places.flatMap(({ tenant, partner, country }) => {
    const numbers = partner === null ? [] : foreignSpellings(partner, country);
    return numbers.map((number) => [tenant, list, number, partner, countryCode(country) ?? UNKNOWN_COUNTRY]);
  });
  await insertRows(sql, PARTNER_NUMBER, rows);
}

/**
 * The scopes that hold the documents of the partner with a tax number, however it is written: one for each way in which documents
 * show it, and none without documents: a page of several scopes costs more. A number that partners of several countries have finds
 * them all: a list with too many documents shows that, one with too few hides it. Only 13 digits are taken for an EDB first, unless
 * documents show them exactly so with the blanks of another country.
 */
export async function scopesOfPartner(
  sql: Sql,
  tenant: Edb,
  list: ListName,
  asked: string,
): Promise<readonly string[]> {
  const shown = asked.trim();
  const edb = parseEdb(shown);
  const numbers = askedNumbers(shown);
  const [number] = numbers;
  const rows = await sql.all<NumberRow>(
    'select number, scope, country from partner_number where tenant = $1 and list = $2 and number in ($3, $4, $5)',
    [tenant, list, ...numbers],
  );
  const meant = rows.filter((row) => row.number === number);
  const exact = new Set(meant.filter(({ scope }) => scope === shown).map(({ country }) => country));
  const unplaced = edb === null ? [] : scopesIn(rows.filter((row) => isUnplaced(row, edb)));
  if (edb !== null && unplaced.length > 0 && (exact.size === 0 || exact.has(UNKNOWN_COUNTRY))) {
    return (await isPartner(sql, tenant, list, edb)) ? [edb, ...unplaced] : unplaced;
  }
  if (edb !== null && exact.size > 0) return scopesIn(meant.filter(({ country }) => exact.has(country)));
  if (edb !== null && (meant.length === 0 || (await isPartner(sql, tenant, list, edb)))) return [edb];
  const scopes = scopesIn(meant);
  // Documents of the version before are found by nothing but the number that they show.
  return scopes.includes(shown) || !(await isPartner(sql, tenant, list, shown)) ? scopes : [shown, ...scopes];
}

/** The numbers that are recorded of partners that can be meant: as asked for, and with the prefixes of North Macedonia. */
export function askedNumbers(asked: string): readonly [string, string, string] {
  const number = foldedTaxNumber(asked.trim());
  const digits = parseEdb(asked) ?? number;
  const [latin, cyrillic] = HOME_PREFIXES;
  return [number, `${latin}${digits}`, `${cyrillic}${digits}`];
}

/** An EDB with its prefix and no known country: the version before did not know North Macedonia as `МК` in Cyrillic. */
function isUnplaced({ scope, country }: NumberRow, edb: Edb): boolean {
  return country === UNKNOWN_COUNTRY && scope !== edb && parseEdb(scope) === edb;
}

async function isPartner(sql: Sql, tenant: Edb, list: ListName, scope: string): Promise<boolean> {
  const text = 'select block from listing_block where tenant = $1 and list = $2 and scope = $3 and block = 0';
  return (await sql.get(text, [tenant, list, scope])) !== null;
}

function scopesIn(rows: readonly NumberRow[]): readonly string[] {
  return [...new Set(rows.map(({ scope }) => scope))];
}
