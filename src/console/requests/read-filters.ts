import { type Edb, parseEdb } from '../../domain/accounts/edb.ts';
import { type DocUid, parseDocUid } from '../../domain/documents/doc-uid.ts';
import { OUTBOUND_STATUSES, type OutboundStatus } from '../../domain/documents/outbound-status.ts';
import { parseTimeLimit } from '../../domain/values/skopje-day.ts';

/** What is said beside a filter that cannot be used. */
export type FilterTrouble =
  | 'no-edb'
  | 'no-day'
  | 'no-status'
  | 'no-state'
  | 'no-doc-uid'
  | 'no-direction'
  | 'only-outbound';

export type FilterTroubles = ReadonlyMap<string, FilterTrouble>;

type Filter<Value> = { readonly read: (text: string) => Value | null; readonly trouble: FilterTrouble | null };

type Filters = Readonly<Record<string, Filter<unknown>>>;

export type FilterValues<F extends Filters> = { readonly [Name in keyof F]: ReturnType<F[Name]['read']> };

const DIRECTIONS = ['outbound', 'inbound'] as const;
type Direction = (typeof DIRECTIONS)[number];

export const EDB: Filter<Edb> = { read: parseEdb, trouble: 'no-edb' };
export const SINCE: Filter<number> = { read: (text) => parseTimeLimit(text, 'from'), trouble: 'no-day' };
export const UNTIL: Filter<number> = { read: (text) => parseTimeLimit(text, 'to'), trouble: 'no-day' };
export const DOC_UID: Filter<DocUid> = { read: (text) => parseDocUid(text.toLowerCase()), trouble: 'no-doc-uid' };
export const STATUS: Filter<OutboundStatus> = {
  read: (text) => OUTBOUND_STATUSES.find((status) => String(status) === text) ?? null,
  trouble: 'no-status',
};
export const DIRECTION: Filter<Direction> = {
  read: (text) => DIRECTIONS.find((direction) => direction === text) ?? null,
  trouble: 'no-direction',
};
export const ANY_TEXT: Filter<string> = { read: (text) => text, trouble: null };
/** For what inbound documents do not have. */
export const OUTBOUND_ALONE: Filter<never> = { read: () => null, trouble: 'only-outbound' };

/** The page quotes them. */
const LONGEST_TEXT = 500;

/** What was asked for, as it stands in the address. */
export function askedIn<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  const texts = names.map((name) => [name, query.get(name)?.trim().slice(0, LONGEST_TEXT) ?? '']);
  return Object.fromEntries(texts) as Record<Name, string>;
}

/** A blank one is no filter. One that cannot be read is named: ignored, the page would show everything as if it were filtered. */
export function readFilters<F extends Filters>(
  filters: F,
  asked: Readonly<Record<keyof F, string>>,
): { readonly values: FilterValues<F>; readonly troubles: FilterTroubles } {
  const troubles = new Map<string, FilterTrouble>();
  const values = Object.entries(filters).map(([name, { read, trouble }]) => {
    const text = asked[name] ?? '';
    const value = text === '' ? null : read(text);
    if (text !== '' && value === null && trouble !== null) troubles.set(name, trouble);
    return [name, value];
  });
  return { values: Object.fromEntries(values) as FilterValues<F>, troubles };
}
