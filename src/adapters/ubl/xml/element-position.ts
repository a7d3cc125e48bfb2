import { positionOf } from './text-position.ts';
import { XmlScanner } from './xml-scanner.ts';

/** The names of the elements open at a byte offset, as written: `/Invoice/cac:Party`; null outside the root. */
export function openPathAt(utf8: Buffer, offset: number): string | null {
  const scanner = new XmlScanner(utf8, 0, 0);
  const open: string[] = [];
  for (;;) {
    const token = scanner.next();
    if (token === 'end' || token === 'malformed' || token === 'doctype' || scanner.start >= offset) break;
    if (token === 'start') open.push(utf8.toString('utf8', scanner.nameStart, scanner.nameEnd));
    // The parser reports an end tag that does not match at the tag's end; its element still counts as open there.
    if (token === 'close' && scanner.position < offset) open.pop();
  }
  return open.length === 0 ? null : `/${open.join('/')}`;
}

/**
 * Line and column of an element of a well-formed text, given by its index among its siblings on each level. libxml2 records only
 * lines, and inexact ones for large documents.
 */
export function elementPosition(utf8: Buffer, siblingIndexes: readonly number[]): { line: number; column: number } {
  const scanner = new XmlScanner(utf8, 0, 0);
  const seen: number[] = [0];
  let depth = 0;
  let matched = 0;
  for (let token = scanner.next(); token !== 'end' && token !== 'malformed'; token = scanner.next()) {
    if (token === 'close') depth -= 1;
    if (token !== 'start' && token !== 'empty') continue;
    const index = seen[depth] ?? 0;
    seen[depth] = index + 1;
    if (matched === depth && index === siblingIndexes[depth]) matched += 1;
    if (matched === siblingIndexes.length) break;
    if (token === 'start') {
      depth += 1;
      seen[depth] = 0;
    }
  }
  return positionOf(utf8, scanner.start);
}
