import {
  ANY_OTHER,
  type ElementUse,
  type ElementUses,
  type LeftOut,
} from '../../src/adapters/ubl/element-uses/element-use.ts';
import { DOCUMENT } from '../../src/adapters/ubl/element-uses/uses-in-documents.ts';
import { KINDS_LEFT_OUT } from '../../src/adapters/ujp/conversion/left-out-elements.ts';
import { BY_CONTENT, MEMBERS_OF_ELEMENTS } from './members.ts';

const ROOT = 'Invoice';
const PLAIN_USES = {
  replaced: "the authority's own value stands for it",
  'says-nothing': 'nothing: it is about the file, or follows from other elements',
} as const;

type Row = { readonly names: string[]; readonly becomes: string };
type Section = { readonly place: string; readonly rows: readonly Row[] };

/** What becomes of every element that the program knows, by the element it stands in. */
export function elementTables(): string {
  const used = new Set<string>();
  const sections = [...sectionsOf([ROOT], DOCUMENT, used)];
  const unused = [...Object.keys(MEMBERS_OF_ELEMENTS), ...Object.keys(BY_CONTENT)].filter((key) => !used.has(key));
  if (unused.length > 0) throw new Error(`No element is sent by these rows of members.ts: ${unused.join(', ')}`);
  return sections
    .filter(({ rows }) => rows.length > 0)
    .map(shown)
    .join('\n');
}

function shown({ place, rows }: Section): string {
  const lines = rows.map(({ names, becomes }) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${becomes} |`);
  return `### ${place}\n\n| Element | What becomes of it |\n|---|---|\n${lines.join('\n')}\n`;
}

function* sectionsOf(places: readonly string[], table: ElementUses, used: Set<string>): Generator<Section> {
  const rows = new Map<string, Row>();
  const below = new Map<string, { readonly inner: ElementUses; readonly places: string[] }>();
  const [path = ''] = places;
  for (const [name, given] of table) {
    const use = ofFirst(given, name);
    if (use instanceof Map) {
      const inner = use as ElementUses;
      // Elements with the same content are told of together, if the same becomes of it.
      const [{ rows: first } = { rows: [] }, ...rest] = sectionsOf([`${path}/${name}`], inner, used);
      const key = JSON.stringify([first, rest.map((section) => section.rows)]);
      const same = below.get(key) ?? { inner, places: [] };
      same.places.push(...places.map((place) => `${place}/${name}`));
      below.set(key, same);
      continue;
    }
    const becomes = outcome(use, `${path}/${name}`, used);
    const row = rows.get(becomes) ?? { names: [], becomes };
    row.names.push(name === ANY_OTHER ? 'any other' : name);
    rows.set(becomes, row);
  }
  yield { place: places.map((place) => place.replace(`${ROOT}/`, '')).join(', '), rows: [...rows.values()] };
  for (const { inner, places: together } of below.values()) yield* sectionsOf(together, inner, used);
}

/** Deliveries beyond the first are left out, which the text of the page says. */
function ofFirst(use: ElementUse, name: string): ElementUse {
  if (name !== 'cac:Delivery' || typeof use !== 'function') return use;
  return (use as unknown as () => (element: null, index: number) => ElementUse)()(null, 0);
}

function outcome(use: ElementUse, path: string, used: Set<string>): string {
  if (use === 'sent' || use === 'decides') return found(MEMBERS_OF_ELEMENTS, path, used);
  if (typeof use === 'function') return found(BY_CONTENT, path, used);
  if (typeof use === 'string') return PLAIN_USES[use];
  const [code] = KINDS_LEFT_OUT[(use as LeftOut).leftOut];
  return `left out with \`${code}\``;
}

function found(texts: Readonly<Record<string, string>>, path: string, used: Set<string>): string {
  const longest = rowOf(texts, path);
  if (longest === undefined) throw new Error(`members.ts does not say what becomes of ${path}.`);
  used.add(longest);
  const role = path.includes('AccountingSupplierParty') ? 'seller' : 'buyer';
  return (texts[longest] ?? '').replaceAll('{role}', role);
}

/** The longest row that the path ends with. */
export function rowOf(texts: Readonly<Record<string, string>>, path: string): string | undefined {
  const keys = Object.keys(texts).filter((key) => path.endsWith(key));
  return keys.toSorted((one, other) => other.length - one.length)[0];
}
