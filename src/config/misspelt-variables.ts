import { ALL_VARIABLES, describedVariable } from './variable-catalogue.ts';
import type { Variables } from './variable-reader.ts';

/** A variable that is set and that nobody reads, and the one that was probably meant. */
export type MisspeltVariable = { readonly name: string; readonly meant: string };

/** First words that other programs hardly use: whatever begins with one was meant for us. */
const OWN_FAMILIES =
  /^(?:ALLOW_ANY|AUDIT_RETENTION|AUTHORITY|COLLECT|DELIVERY|OPS|OUTCOME|READING|SIGNING|SIMULATOR)_/u;
/** Some call a variable after the program. */
const PROGRAM_NAME = /^DOSTAVA_/u;
/** From this length on two wrong letters are forgiven, below only one: short names are near to those of other programs. */
const LONG_NAME = 12;

/**
 * A variable that is not known has no effect, and nobody would notice. Only names are looked at, never values: other programs
 * have theirs in the same environment (docs/decisions/0040-variables.md).
 */
export function misspeltVariables(variables: Variables): readonly MisspeltVariable[] {
  return Object.keys(variables)
    .filter((name) => describedVariable(name) === null)
    .flatMap((name) => {
      const meant = meantBy(name);
      return meant === null ? [] : [{ name, meant }];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

function meantBy(given: string): string | null {
  const name = given.toUpperCase().replaceAll('-', '_').replace(PROGRAM_NAME, '');
  const isOwn = OWN_FAMILIES.test(name);
  let nearest: { readonly name: string; readonly distance: number } | null = null;
  for (const { name: known } of ALL_VARIABLES) {
    // Nothing this long is near; and the environment is not ours to bound.
    if (name.length > 2 * known.length) continue;
    const distance = distanceTo(known, name, isOwn);
    if (distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { name: known, distance };
  }
  return nearest?.name ?? null;
}

/** Infinite where the known name was not meant. */
function distanceTo(known: string, name: string, isOwn: boolean): number {
  // Of a family the beginning of a name counts as the name itself: its end was forgotten.
  if (isOwn && known.startsWith(name)) return 0;
  const isAnyNear = isOwn || name === known.replaceAll('_', '');
  const limit = isAnyNear ? Number.POSITIVE_INFINITY : known.length < LONG_NAME ? 1 : 2;
  // Every command compares all variables with all of ours, and most differ by their length or their letters already.
  if (Math.abs(name.length - known.length) > limit) return Number.POSITIVE_INFINITY;
  if (Math.max(strangeLetters(name, known), strangeLetters(known, name)) > limit) return Number.POSITIVE_INFINITY;
  const distance = editDistance(name, known);
  return distance <= limit ? distance : Number.POSITIVE_INFINITY;
}

/** How many letters of one name the other one has nowhere: at least so many are wrong or too many, and this is found quickly. */
function strangeLetters(left: string, right: string): number {
  let count = 0;
  for (const letter of left) if (!right.includes(letter)) count += 1;
  return count;
}

/** Letters that are missing, too many, wrong, or exchanged with their neighbour. */
function editDistance(left: string, right: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isExchanged = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isExchanged ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
