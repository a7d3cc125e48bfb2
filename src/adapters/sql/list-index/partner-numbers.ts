import { type Edb, parseEdb } from '../../../domain/accounts/edb.ts';
import { countryCode, foldedTaxNumber, foreignSpellings } from '../../../domain/accounts/tax-number.ts';
import type { Sql } from '../engine.ts';
import { type Insertion, insertRows } from '../row-lists.ts';
import type { ListName, Place } from './list-index.ts';

type NumberRow = { readonly number: string; readonly scope: string; readonly country: string };

/** Each letter Latin or Cyrillic: nobody sees the difference. */
const HOME_PREFIXES = ['MK', 'M\u041a', '\u041cK', '\u041c\u041a'] as const;
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
 * them all: a list with too many documents shows that, one with too few hides it.
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
    'select number, scope, country from partner_number where tenant = $1 and list = $2 and number in ($3, $4, $5, $6, $7)',
    [tenant, list, ...numbers],
  );
  if (edb !== null && rows.length === 0) return [edb];
  const has = (scope: string) => isPartner(sql, tenant, list, scope);
  const meant = rows.filter((row) => row.number === number);
  const ofEdb = edb === null ? [] : await scopesOfEdb({ edb, shown, rows, meant }, has);
  if (ofEdb.length > 0) return ofEdb;
  const scopes = scopesIn(meant);
  // Documents of the version before are found by nothing but the number that they show.
  return scopes.includes(shown) || !(await has(shown)) ? scopes : [shown, ...scopes];
}

type AskedEdb = {
  readonly edb: Edb;
  readonly shown: string;
  readonly rows: readonly NumberRow[];
  /** Those of partners abroad who may have the same digits, too. */
  readonly meant: readonly NumberRow[];
};

/**
 * Those of the taxpayer, unless documents show the digits exactly so, with blanks, as a number from abroad; none where it is not a
 * partner. Where the EDB and a number from abroad are shown alike they cannot be told apart.
 */
async function scopesOfEdb(
  { edb, shown, rows, meant }: AskedEdb,
  has: (scope: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const abroad = meant.filter((row) => !statesEdb(row, edb));
  const shownSo = abroad.filter(({ scope }) => scope === shown && scope !== edb);
  if (shownSo.length > 0) return scopesIn(ofSameCountries(abroad, shownSo));
  const stated = scopesIn(rows.filter((row) => statesEdb(row, edb)));
  const own = (await has(edb)) ? [edb, ...stated] : stated;
  const alike = ofSameCountries(
    abroad,
    abroad.filter(({ scope }) => scope === edb),
  );
  return own.length === 0 ? [] : [...new Set([...own, ...scopesIn(alike)])];
}

function ofSameCountries(rows: readonly NumberRow[], some: readonly NumberRow[]): readonly NumberRow[] {
  const countries = new Set(some.map(({ country }) => country));
  return rows.filter(({ country }) => countries.has(country));
}

/** The numbers that are recorded of partners that can be meant: as asked for, and with the prefixes of North Macedonia. */
export function askedNumbers(asked: string): readonly [string, ...string[]] {
  const number = foldedTaxNumber(asked.trim());
  const digits = parseEdb(asked) ?? number;
  return [number, ...HOME_PREFIXES.map((prefix) => `${prefix}${digits}`)];
}

/**
 * An EDB with its prefix, whatever country the document states beside it: a slip must not hide the other documents of the taxpayer. The
 * version before did not know North Macedonia as `МК` in Cyrillic.
 */
function statesEdb({ country, scope }: NumberRow, edb: Edb): boolean {
  if (scope === edb || parseEdb(scope) !== edb) return false;
  return country === UNKNOWN_COUNTRY || HOME_PREFIXES.some((prefix) => foldedTaxNumber(scope).startsWith(prefix));
}

async function isPartner(sql: Sql, tenant: Edb, list: ListName, scope: string): Promise<boolean> {
  const text = 'select block from listing_block where tenant = $1 and list = $2 and scope = $3 and block = 0';
  return (await sql.get(text, [tenant, list, scope])) !== null;
}

function scopesIn(rows: readonly NumberRow[]): readonly string[] {
  return [...new Set(rows.map(({ scope }) => scope))];
}
