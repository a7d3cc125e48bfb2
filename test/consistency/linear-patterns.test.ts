import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostileTexts, textOf } from './hostile-texts.ts';
import { type Pattern, patternsIn, productPatterns } from './pattern-source.ts';
import { MAX_STEPS, stepCounter } from './pattern-steps.ts';
import { parsePattern } from './pattern-syntax.ts';

const SHORT = 64;
const LONG = 4 * SHORT;
/** Four times the text is four times the steps of a linear pattern and sixteen times those of a quadratic one. */
const MAX_GROWTH = 6;

/** The text on which the steps of a pattern grow faster than the text; null where there is none among those tried. */
function whereSuperLinear({ source, flags }: Omit<Pattern, 'path'>): string | null {
  const tree = parsePattern(source);
  const stepsOn = stepCounter(tree, flags);
  for (const hostile of hostileTexts(tree, flags)) {
    const short = stepsOn(textOf(hostile, SHORT));
    const long = stepsOn(textOf(hostile, LONG));
    if (long > MAX_GROWTH * short || long > MAX_STEPS)
      return `${JSON.stringify(hostile)}: ${short} steps, then ${long}`;
  }
  return null;
}

describe('the steps of a pattern', () => {
  const superLinear = [
    /^(?<street>.*?)[\s,]+(?<number>\d+|bb)$/iu,
    /\.?0+$/u,
    /\s+$/u,
    /^(?:a+)+$/u,
    /^(?:a|a)*b$/u,
    /^(.*) (?:on|for) (.*) is not defined$/su,
    /-----BEGIN[\s\S]*?-----END/gu,
    /<(.*)>(.*)<\/a>/u,
  ];
  for (const { source, flags } of superLinear) {
    test(`are seen to grow faster than the text: ${source}`, () => {
      assert.notEqual(whereSuperLinear({ source, flags }), null);
    });
  }
  for (const { source, flags } of [
    /^\s*(?:[a-z]+)\s*=\s*$/u,
    /^[^"]*"(.*)"$/su,
    /[\s\p{Cc}]+/gu,
    /^(?:UBL[ -]?)?2\.1$/iu,
  ]) {
    test(`are seen to grow with the text: ${source}`, () => {
      assert.equal(whereSuperLinear({ source, flags }), null);
    });
  }
});

test('patterns are told from divisions, comments and texts', () => {
  const dollar = '$';
  const text = [
    'const a = b / c / d; // /x+/u',
    `f(/a\\/[/]b/gu, '/y/u', \`${dollar}{g(/z/u)} /w/\`);`,
    `new RegExp(\`^${dollar}{side}-\\\\d+$\`, 'u');`,
  ].join('\n');
  assert.deepEqual(
    patternsIn(text).map(({ source }) => source),
    ['a\\/[/]b', 'z', '^x-\\d+$'],
  );
});

test('no pattern of the product takes more than linear time, whatever text it sees', () => {
  const patterns = productPatterns();
  assert.ok(patterns.length > 80, `${patterns.length}`);
  const different = new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values();
  const superLinear = [...different].flatMap((pattern) => {
    const where = whereSuperLinear(pattern);
    return where === null ? [] : `${pattern.path}: /${pattern.source}/${pattern.flags} on ${where}`;
  });
  assert.deepEqual(superLinear, []);
});
