import type { PatternNode } from './pattern-syntax.ts';

/** Characters that classes are tried with: of every kind that the product's patterns tell apart. */
const TRIED = [...' \t\nAZazMm059-_.,:;/=<>[]{}()"\'!#%&*+@бЖѕ№\u0000\u00a0\u00ad\u200b\ue000'];
/** What follows a repetition and lets the match fail at its end, where anything can. */
const ENDS = ['', '\u0000', ' x'];
const MAX_UNIT_LENGTH = 80;
/** Rows that begin within a pattern; from its beginning, and to its end, there are rows of every length. */
const MAX_ROW = 3;

export type HostileText = { readonly beginning: string; readonly unit: string; readonly end: string };

/** A text of about the given length. */
export function textOf({ beginning, unit, end }: HostileText, length: number): string {
  return beginning + unit.repeat(Math.ceil(length / unit.length)) + end;
}

/** Repetitions of every part of a pattern, and of every row of parts, behind what leads up to them. */
export function hostileTexts(tree: PatternNode, flags: string): readonly HostileText[] {
  const choices = tree.kind === 'alternatives' ? tree.items : [tree];
  const texts = choices.flatMap((choice) => {
    const items = choice.kind === 'sequence' ? choice.items : [choice];
    return items.flatMap((_, index) => textsAt(items, index, flags));
  });
  return [...new Map(texts.map((text) => [JSON.stringify(text), text])).values()];
}

function textsAt(items: readonly PatternNode[], index: number, flags: string): readonly HostileText[] {
  const row = (from: number, to: number) =>
    items
      .slice(from, to)
      .map((item) => samplesOf(item, flags)[0] ?? '')
      .join('');
  const units = new Set([
    ...parts(items[index]).flatMap((part) => samplesOf(part, flags)),
    ...items.slice(index).flatMap((_, more) => (index === 0 || more < MAX_ROW ? row(index, index + more + 1) : [])),
    row(index, items.length),
  ]);
  const usable = [...units].filter(({ length }) => length > 0 && length <= MAX_UNIT_LENGTH);
  return ['', row(0, index)].flatMap((beginning) =>
    usable.flatMap((unit) => ENDS.map((end) => ({ beginning, unit, end }))),
  );
}

function parts(node: PatternNode | undefined): readonly PatternNode[] {
  if (node === undefined) return [];
  if (node.kind === 'sequence' || node.kind === 'alternatives') return [node, ...node.items.flatMap(parts)];
  return node.kind === 'repeat' || node.kind === 'look' ? [node, ...parts(node.item)] : [node];
}

/** Short texts that the part matches. */
function samplesOf(node: PatternNode, flags: string): readonly string[] {
  switch (node.kind) {
    case 'character':
      return charactersOf(node.source, flags);
    case 'edge':
    case 'look':
      return [''];
    case 'alternatives':
      return node.items.flatMap((item) => samplesOf(item, flags));
    case 'sequence':
      return [node.items.map((item) => samplesOf(item, flags)[0] ?? '').join('')];
    case 'repeat': {
      const samples = samplesOf(node.item, flags).map((sample) => sample.repeat(Math.max(1, node.min)));
      return node.min === 0 ? [...samples, ''] : samples;
    }
  }
}

/** By the flags of a pattern, then by the source of a part of it: the same classes stand in many rows. */
const knownCharacters = new Map<string, Map<string, readonly string[]>>();

/** The letter itself, or a few members of a class. */
function charactersOf(source: string, flags: string): readonly string[] {
  if (source.length === 1 && source !== '.') return [source];
  const bySource = knownCharacters.get(flags) ?? new Map<string, readonly string[]>();
  knownCharacters.set(flags, bySource);
  const characters = bySource.get(source) ?? membersOf(source, flags);
  bySource.set(source, characters);
  return characters;
}

function membersOf(source: string, flags: string): readonly string[] {
  const pattern = new RegExp(`^${source}$`, flags.replace(/[gym]/gu, ''));
  const members = TRIED.filter((character) => pattern.test(character));
  if (members.length > 0) return [members[0] ?? '', members.at(-1) ?? '', ...(members.includes('a') ? ['a'] : [])];
  const point = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).find((one) =>
    pattern.test(one),
  );
  return point === undefined ? [] : [point];
}
