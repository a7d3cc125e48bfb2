import type { Row } from './figures.ts';
import { markdownTable } from './table.ts';

const PLACE = /(<!-- figures: [^>]*-->\n).*?(<!-- end of figures -->)/su;

export type Measurement = {
  readonly at: string;
  readonly mode: string;
  readonly machine: string;
  readonly rows: readonly Row[];
};

/** The page with this table in its place. */
export function withTable(page: string, { at, mode, machine, rows }: Measurement): string {
  if (!PLACE.test(page)) throw new Error('The page has no place for figures.');
  const day = at.slice(0, 'YYYY-MM-DD'.length);
  const text = `Measured on ${day} (${mode}): ${machine}.\n\n${markdownTable(rows)}\n`;
  return page.replace(PLACE, (_, begin: string, end: string) => `${begin}\n${text}\n${end}`);
}
