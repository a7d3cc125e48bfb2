/** A regular expression as a tree, as far as its syntax is used in the product. */
export type PatternNode =
  /** One character: a letter, an escape, a class or a dot. */
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'edge'; readonly source: '^' | '$' }
  | { readonly kind: 'sequence' | 'alternatives'; readonly items: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly item: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    }
  | { readonly kind: 'look'; readonly item: PatternNode; readonly isNegative: boolean; readonly isBehind: boolean };

const ATOM =
  /^(?:\\p\{[^}]*\}|\\P\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\[^1-9bBk]|\[(?:\\.|[^\]\\])*\]|[^()|*+?^$\\[])/isu;
const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})/u;
const GROUP = /^\((?:\?(?::|=|!|<=|<!|<[A-Za-z]\w*>))?/u;

export function parsePattern(source: string): PatternNode {
  let rest = source;

  function take(pattern: RegExp): string | null {
    const found = pattern.exec(rest)?.[0] ?? null;
    if (found !== null) rest = rest.slice(found.length);
    return found;
  }

  function alternatives(): PatternNode {
    const items = [sequence()];
    while (take(/^\|/u) !== null) items.push(sequence());
    return items.length === 1 ? (items[0] as PatternNode) : { kind: 'alternatives', items };
  }

  function sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (rest !== '' && !/^[|)]/u.test(rest)) items.push(quantified(atom()));
    return { kind: 'sequence', items };
  }

  function atom(): PatternNode {
    const opening = take(GROUP);
    if (opening !== null) return group(opening);
    const edge = take(/^[$^]/u);
    if (edge !== null) return { kind: 'edge', source: edge as '^' | '$' };
    // The edge of a word, and what a group matched before, cost no steps worth counting.
    if (take(/^\\[b1-9]/u) !== null) return { kind: 'sequence', items: [] };
    const character = take(ATOM);
    if (character === null) throw new Error(`Not understood: ${rest} in ${source}`);
    return { kind: 'character', source: character };
  }

  function group(opening: string): PatternNode {
    const item = alternatives();
    if (take(/^\)/u) === null) throw new Error(`A group has no end: ${source}`);
    if (!/[=!]$/u.test(opening)) return item;
    return { kind: 'look', item, isNegative: opening.endsWith('!'), isBehind: opening.includes('<') };
  }

  function quantified(item: PatternNode): PatternNode {
    const quantifier = take(QUANTIFIER);
    if (quantifier === null) return item;
    const isLazy = take(/^\?/u) !== null;
    const [min = 0, max = min] = quantifier.startsWith('{')
      ? quantifier
          .slice(1, -1)
          .split(',')
          .map((text) => (text === '' ? Number.POSITIVE_INFINITY : Number(text)))
      : [quantifier === '+' ? 1 : 0, quantifier === '?' ? 1 : Number.POSITIVE_INFINITY];
    return { kind: 'repeat', item, min, max, isLazy };
  }

  const tree = alternatives();
  if (rest !== '') throw new Error(`Not understood: ${rest} in ${source}`);
  return tree;
}
