import { randomInt } from 'node:crypto';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';

/** Property tests take fast-check from here, so that whatever fails can be seen again. */
export { default as fc } from 'fast-check';

/** A number from 0 inclusive to 1 exclusive. */
export type Random = () => number;

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const TEST_FILE = /[^\s(]+\.test\.ts/u;
const FRAMES = 100;

/** Another one in each run, so that the runs of a week look at more than one run; or the one that is to be replayed. */
const SEED = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));

fc.configureGlobal({
  seed: SEED,
  reporter(details) {
    if (!details.failed) return;
    const cause = details.errorInstance;
    throw new Error(`${fc.defaultReportMessage(details)}\n\n${replay(cause)}\n`, { cause });
  },
});

const SURROGATES = { first: 0xd800, count: 0x800 };
const CHARACTERS = 0x110000 - SURROGATES.count;
/** What an object may take for a name of its own. */
const TREACHEROUS = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];

/**
 * Texts of any characters, as of fast-check's `unit: 'binary'`, which takes a second to list all of them before it draws the
 * first one.
 */
export function anyCharacters(lengths: {
  readonly minLength?: number;
  readonly maxLength: number;
}): fc.Arbitrary<string> {
  const character = fc
    .integer({ min: 0, max: CHARACTERS - 1 })
    .map((place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count));
  const treacherous = TREACHEROUS.filter(({ length }) => length <= lengths.maxLength);
  const text = fc.string({ ...lengths, unit: character });
  if (treacherous.length === 0) return text;
  return fc.oneof({ weight: 20, arbitrary: text }, { weight: 1, arbitrary: fc.constantFrom(...treacherous) });
}

/** The mulberry32 generator: the same seed always gives the same numbers. */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Work on random numbers of this run's seed. */
export async function withRandom<Result>(work: (random: Random) => Result | Promise<Result>): Promise<Result> {
  try {
    return await work(seededRandom(SEED));
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message : cause}\n\n${replay(cause)}\n`, { cause });
  }
}

function replay(cause: unknown): string {
  const long = process.env['TEST_LONG'] === '1' ? 'TEST_LONG=1 ' : '';
  return `See it again: ${long}TEST_SEED=${SEED} npm run test:run -- ${testFile(cause)}`;
}

/** Files may share a process, so it is the stack that knows which one it was. */
function testFile(cause: unknown): string {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const stacks = `${new Error('here').stack}\n${cause instanceof Error ? cause.stack : ''}`;
  Error.stackTraceLimit = before;
  const path = TEST_FILE.exec(stacks)?.[0] ?? process.argv[1] ?? '';
  return relative(PROJECT, path.startsWith('file:') ? fileURLToPath(path) : path);
}
