import { parseEdb } from '../../domain/accounts/edb.ts';
import { askedIn, type FilterTroubles, readFilters } from './read-filters.ts';

/** What is looked for in a list of rows that have a state each. */
export type Search<State extends string> = {
  readonly asked: Readonly<Record<'q' | 'state' | 'page', string>>;
  readonly state: State | null;
  readonly troubles: FilterTroubles;
};

export function readSearch<State extends string>(query: URLSearchParams, states: readonly State[]): Search<State> {
  const asked = askedIn(query, ['q', 'state', 'page']);
  const read = (text: string) => states.find((state) => state === text) ?? null;
  const { values, troubles } = readFilters({ state: { read, trouble: 'no-state' } }, asked);
  return { asked, state: values.state, troubles };
}

/** Whether one of the texts has what is looked for in it, in letters of any size; an EDB as people write it, with MK or blanks. */
export function hasText(texts: readonly (string | null)[], q: string): boolean {
  const wanted = [q.toLowerCase(), parseEdb(q) ?? q.toLowerCase()];
  return texts.some((text) => wanted.some((one) => text?.toLowerCase().includes(one)));
}
