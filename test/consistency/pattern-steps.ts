import type { PatternNode } from './pattern-syntax.ts';

/** A search that takes so many steps is stopped: it is known then that they explode. */
export const MAX_STEPS = 500_000;

/** Whether what follows matches at a place. */
type Next = (at: number) => boolean;
/** Whether a part matches at a place, and what follows behind it. */
type Part = (at: number, next: Next) => boolean;

/** What a search goes through, and how far it has come; the parts of a pattern are made once and search many texts. */
type Search = { characters: readonly string[]; steps: number };

/**
 * Counts how many characters a backtracking engine compares while it searches a text for all matches of a pattern. Counted rather than
 * timed, so that the answer does not depend on the machine.
 */
export function stepCounter(tree: PatternNode, flags: string): (text: string) => number {
  const search: Search = { characters: [], steps: 0 };
  const pattern = partOf(tree, flags, search);
  const beginsAtBeginning = isAtBeginning(tree, flags);
  return (text) => {
    search.characters = [...text];
    search.steps = 0;
    const { length } = search.characters;
    for (let start = 0; start <= length; ) {
      let end = -1;
      const found = pattern(start, (at) => {
        end = at;
        return true;
      });
      if (search.steps > MAX_STEPS || (found && !flags.includes('g'))) break;
      // Everywhere else it takes one step to see that this is not the beginning.
      if (!found && beginsAtBeginning) return search.steps + length;
      start = found && end > start ? end : start + 1;
    }
    return search.steps;
  };
}

function partOf(node: PatternNode, flags: string, search: Search): Part {
  switch (node.kind) {
    case 'character':
      return characterPart(characterMatcher(node.source, flags), search);
    case 'edge':
      return edgePart(node.source, flags.includes('m'), search);
    case 'sequence':
      return sequencePart(node.items.map((item) => partOf(item, flags, search)));
    case 'alternatives': {
      const items = node.items.map((item) => partOf(item, flags, search));
      return (at, next) => items.some((item) => item(at, next));
    }
    case 'look': {
      const isSeen = lookPart(partOf(node.item, flags, search), node.isBehind);
      return (at, next) => isSeen(at) !== node.isNegative && next(at);
    }
    case 'repeat':
      return repeatPart(node, partOf(node.item, flags, search));
  }
}

function characterPart(matches: (character: string) => boolean, search: Search): Part {
  return (at, next) => {
    if (search.steps > MAX_STEPS) return true;
    search.steps += 1;
    const character = search.characters[at];
    return character !== undefined && matches(character) && next(at + 1);
  };
}

function edgePart(source: '^' | '$', isOfLine: boolean, search: Search): Part {
  return (at, next) => {
    if (search.steps > MAX_STEPS) return true;
    search.steps += 1;
    const beside = search.characters[source === '^' ? at - 1 : at];
    return (beside === undefined || (isOfLine && beside === '\n')) && next(at);
  };
}

function sequencePart(items: readonly Part[]): Part {
  return items.reduceRight<Part>(
    (following, item) => (at, next) => item(at, (after) => following(after, next)),
    (at, next) => next(at),
  );
}

/** What is looked for behind a place is one character everywhere in the product. */
function lookPart(item: Part, isBehind: boolean): Next {
  return isBehind ? (at) => at > 0 && item(at - 1, (after) => after === at) : (at) => item(at, () => true);
}

function repeatPart({ min, max, isLazy }: Extract<PatternNode, { kind: 'repeat' }>, item: Part): Part {
  function repeated(count: number, at: number, next: Next): boolean {
    if (count < min) return again(count, at, next);
    return isLazy ? next(at) || again(count, at, next) : again(count, at, next) || next(at);
  }
  function again(count: number, at: number, next: Next): boolean {
    return count < max && item(at, (after) => (after > at || count < min) && repeated(count + 1, after, next));
  }
  return (at, next) => repeated(0, at, next);
}

function isAtBeginning(tree: PatternNode, flags: string): boolean {
  const first = tree.kind === 'sequence' ? tree.items[0] : tree;
  return first?.kind === 'edge' && first.source === '^' && !flags.includes('m');
}

/** Remembers every answer: the same few characters are asked for millions of times. */
function characterMatcher(source: string, flags: string): (character: string) => boolean {
  const pattern = new RegExp(`^${source}$`, flags.replace(/[gym]/gu, ''));
  const known = new Map<string, boolean>();
  return (character) => {
    const answer = known.get(character);
    if (answer !== undefined) return answer;
    const isMatch = pattern.test(character);
    known.set(character, isMatch);
    return isMatch;
  };
}
