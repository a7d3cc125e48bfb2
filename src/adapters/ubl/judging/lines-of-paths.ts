import { placeOf } from '../xml/element-place.ts';
import { parseXml } from '../xml/libxml2.ts';
import { decodeXml } from '../xml/xml-encoding.ts';
import { type ElementRef, XmlTree } from '../xml/xml-tree.ts';

/** To find the line of an element the text is scanned up to it: together no more than a few times the largest document. */
const MOST_SCANNED_BYTES = 50_000_000;
const FEWEST_PLACES = 5;
const MOST_PLACES = 100;

/** Of how many elements of a text of this length the lines are found. */
export function mostPlaces(bytes: number): number {
  return Math.min(MOST_PLACES, Math.max(FEWEST_PLACES, Math.floor(MOST_SCANNED_BYTES / Math.max(1, bytes))));
}

/** The lines of elements of an accepted document, by their paths; of one that is missing, that of the nearest around it. */
export function linesOfPaths(bytes: Uint8Array, paths: readonly string[]): readonly (number | null)[] {
  const utf8 = decodeXml(bytes);
  if (!Buffer.isBuffer(utf8)) return paths.map(() => null);
  const parsed = parseXml(utf8, true);
  if (!('root' in parsed)) return paths.map(() => null);
  using document = parsed;
  const tree = new XmlTree(document.root);
  const most = mostPlaces(utf8.length);
  const lines = new Map<ElementRef, number>();
  return paths.map((path) => {
    const element = elementAt(tree, path);
    if (element === null || (lines.size >= most && !lines.has(element))) return null;
    const line = lines.get(element) ?? placeOf(utf8, tree, element).line;
    lines.set(element, line);
    return line;
  });
}

const STEP = /^(.*?)(?:\[(\d+)\])?$/u;

/** `/Invoice/cac:InvoiceLine[2]/cac:Price`; null for a path that was cut and does not begin at the root. */
function elementAt(tree: XmlTree, path: string): ElementRef | null {
  const [before, , ...steps] = path.split('/');
  if (before !== '') return null;
  let element = tree.root;
  for (const step of steps) {
    const [, name = '', ordinal = '1'] = STEP.exec(step) ?? [];
    const child = tree.childrenNamed(element, name)[Number(ordinal) - 1];
    if (child === undefined) break;
    element = child;
  }
  return element;
}
