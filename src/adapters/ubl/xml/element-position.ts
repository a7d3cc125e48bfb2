import { positionOf } from './text-position.ts';
import { XmlScanner } from './xml-scanner.ts';

/** The names of the elements open at a byte offset, as written: `/Invoice/cac:Party`; null outside the root. */
export function openPathAt(utf8: Buffer, offset: number): string | null {
  const scanner = new XmlScanner(utf8, 0, 0);
  const open: string[] = [];
  for (;;) {
    const token = scanner.next();
    if (token === 'end' || token === 'broken' || token === 'doctype' || scanner.start >= offset) break;
    if (token === 'start') open.push(utf8.toString('utf8', scanner.nameStart, scanner.nameEnd));
    // An end tag that does not match is reported at its very end, and belongs to the element it fails to close.
    if (token === 'close' && scanner.position < offset) open.pop();
  }
  return open.length === 0 ? null : `/${open.join('/')}`;
}

/**
 * Line and column of an element of a well-formed text, given by its place among its siblings, level by level.
 * The parser keeps lines alone, and those of large documents not exactly.
 */
export function elementPosition(utf8: Buffer, places: readonly number[]): { line: number; column: number } {
  const scanner = new XmlScanner(utf8, 0, 0);
  const seen: number[] = [0];
  let depth = 0;
  let matched = 0;
  for (let token = scanner.next(); token !== 'end' && token !== 'broken'; token = scanner.next()) {
    if (token === 'close') depth -= 1;
    if (token !== 'start' && token !== 'empty') continue;
    const place = seen[depth] ?? 0;
    seen[depth] = place + 1;
    if (matched === depth && place === places[depth]) matched += 1;
    if (matched === places.length) break;
    if (token === 'start') {
      depth += 1;
      seen[depth] = 0;
    }
  }
  return positionOf(utf8, scanner.start);
}
