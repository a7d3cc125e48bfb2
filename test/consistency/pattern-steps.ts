import type { PatternNode } from './pattern-syntax.ts';

/** A search that takes so many steps is stopped: it is known then that they explode. */
export const MAX_STEPS = 500_000;

type Next = (at: number) => boolean;

/**
 * How many characters a backtracking engine compares while it searches a text for all matches of a pattern. Counted rather than
 * timed, so that the answer does not depend on the machine.
 */
export function searchSteps(tree: PatternNode, flags: string, text: string): number {
  const characters = [...text];
  const matches = characterMatcher(flags);
  let steps = 0;

  function match(node: PatternNode, at: number, next: Next): boolean {
    if (steps > MAX_STEPS) return true;
    switch (node.kind) {
      case 'character':
        steps += 1;
        return at < characters.length && matches(node.source, characters[at] ?? '') && next(at + 1);
      case 'edge':
        steps += 1;
        return isEdge(node.source, at) && next(at);
      case 'sequence':
        return matchItems(node.items, 0, at, next);
      case 'alternatives':
        return node.items.some((item) => match(item, at, next));
      case 'look':
        return isSeen(node, at) !== node.isNegative && next(at);
      case 'repeat':
        return matchRepeat(node, 0, at, next);
    }
  }

  /** What is looked for behind a place is one character everywhere in the product. */
  function isSeen({ item, isBehind }: Extract<PatternNode, { kind: 'look' }>, at: number): boolean {
    return isBehind ? at > 0 && match(item, at - 1, (after) => after === at) : match(item, at, () => true);
  }

  function matchItems(items: readonly PatternNode[], index: number, at: number, next: Next): boolean {
    const item = items[index];
    return item === undefined ? next(at) : match(item, at, (after) => matchItems(items, index + 1, after, next));
  }

  function matchRepeat(node: Extract<PatternNode, { kind: 'repeat' }>, count: number, at: number, next: Next): boolean {
    const again = () =>
      count < node.max &&
      match(node.item, at, (after) => (after > at || count < node.min) && matchRepeat(node, count + 1, after, next));
    if (count < node.min) return again();
    return node.isLazy ? next(at) || again() : again() || next(at);
  }

  function isEdge(source: '^' | '$', at: number): boolean {
    const beside = source === '^' ? characters[at - 1] : characters[at];
    return beside === undefined || (flags.includes('m') && beside === '\n');
  }

  for (let start = 0; start <= characters.length; ) {
    let end = -1;
    const found = match(tree, start, (at) => {
      end = at;
      return true;
    });
    if (steps > MAX_STEPS || (found && !flags.includes('g'))) break;
    // Everywhere else it takes one step to see that this is not the beginning.
    if (!found && isAtBeginning(tree, flags)) return steps + characters.length;
    start = found && end > start ? end : start + 1;
  }
  return steps;
}

function isAtBeginning(tree: PatternNode, flags: string): boolean {
  const first = tree.kind === 'sequence' ? tree.items[0] : tree;
  return first?.kind === 'edge' && first.source === '^' && !flags.includes('m');
}

type Answers = { readonly pattern: RegExp; readonly known: Map<string, boolean> };

/** By the flags of a pattern, then by the source of a part of it. */
const answersOf = new Map<string, Map<string, Answers>>();

/** Remembers every answer: the same few characters are asked for millions of times. */
function characterMatcher(flags: string): (source: string, character: string) => boolean {
  const bySource = answersOf.get(flags) ?? new Map<string, Answers>();
  answersOf.set(flags, bySource);
  return (source, character) => {
    const answers = bySource.get(source) ?? rememberIn(bySource, source, flags);
    const answer = answers.known.get(character);
    if (answer !== undefined) return answer;
    const isMatch = answers.pattern.test(character);
    answers.known.set(character, isMatch);
    return isMatch;
  };
}

function rememberIn(bySource: Map<string, Answers>, source: string, flags: string): Answers {
  const answers = { pattern: new RegExp(`^${source}$`, flags.replace(/[gym]/gu, '')), known: new Map() };
  bySource.set(source, answers);
  return answers;
}
