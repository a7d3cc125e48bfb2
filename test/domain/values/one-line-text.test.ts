import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  oneLineText,
  quotedText,
  shortPath,
  shortText,
  visibleText,
} from '../../../src/domain/values/one-line-text.ts';
import { anyCharacters, fc } from '../../support/seeds.ts';

/** Everything that breaks a line, drives a terminal, hides or turns round its neighbours, or that a database refuses. */
const HARMFUL = /(?!\u00ad)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

const SIGNS = [
  ...['\0', '\t', '\r\n', '\u001b[2J', '\u007f', '\u0085', '\u009b', '\u00a0', '\u00ad', '\u2028', '\u2029'],
  ...['\u200b', '\u200d', '\u202e', '\u2066', '\ufeff', '\ud800', '\udc00', '\ue000', '\u{e0041}', '\u{1f4b6}'],
  ...[' ', 'a', 'Ж', 'ë', '\ufffd'],
];

const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 60 }),
  anyCharacters({ maxLength: 60 }),
);
const anyLength = fc.integer({ min: 1, max: 80 });

function assertHarmless(text: string, maxLength: number): void {
  assert.doesNotMatch(text, HARMFUL);
  assert.ok(text.isWellFormed());
  assert.ok(text.length <= maxLength, `${text.length} > ${maxLength}`);
  assert.equal(text, text.trim());
  assert.doesNotMatch(text, /\s\s/u);
}

describe('a text of somebody else', () => {
  test('is one line of bounded length without anything that acts on its reader', () => {
    fc.assert(
      fc.property(anyText, anyLength, (text, maxLength) => {
        const line = oneLineText(text, maxLength);
        if (line !== null) assertHarmless(line, maxLength);
        assert.notEqual(line, '');
        assertHarmless(shortText(text, maxLength), maxLength);
        assertHarmless(visibleText(text, maxLength), maxLength);
        assertHarmless(quotedText(text, maxLength).slice(1, -1), maxLength);
        assertHarmless(shortPath(text.replaceAll(/\s/gu, ''), maxLength), maxLength);
      }),
    );
  });

  test('is cut between characters, and nothing but its end is missing', () => {
    fc.assert(
      fc.property(anyText, anyLength, (text, maxLength) => {
        const whole = oneLineText(text, text.length) ?? '';
        const line = oneLineText(text, maxLength) ?? '';
        assert.ok(whole.startsWith(line));
        if (whole.length <= maxLength && text.length <= maxLength) assert.equal(line, whole);
      }),
    );
    assert.equal(oneLineText('💶💶', 3), '💶');
    assert.equal(shortText('💶💶💶', 4), '💶…');
    assert.equal(shortPath('/a/💶💶', 4), '…💶');
  });

  test('stays as it is when it is one harmless line already', () => {
    fc.assert(
      fc.property(anyText, anyLength, (text, maxLength) => {
        const line = oneLineText(text, maxLength) ?? '';
        assert.equal(oneLineText(line, maxLength) ?? '', line);
        assert.equal(shortText(line, maxLength), line);
        assert.equal(shortPath(line, maxLength), line);
      }),
    );
    for (const text of [
      '„АЛФА“ ДООЕЛ Скопје',
      'Shpërndarja Çelësi SH.P.K.',
      'Ѓорѓи Џамбаз & син',
      'мека\u00adцртичка',
    ]) {
      assert.equal(oneLineText(text, 100), text);
      assert.equal(quotedText(text, 100), `“${text}”`);
    }
  });

  test('has a blank for breaks and controls, and a visible mark for what has no shape', () => {
    assert.equal(oneLineText('\ufeff a\0b\r\n\tc\u2028d\u2029e\u0085f\u001b[31m ', 100), 'a b c d e f [31m');
    assert.equal(oneLineText('1\u200b2\u202e3\ud8004\ue0005\u200d', 100), '1\ufffd2\ufffd3\ufffd4\ufffd5\ufffd');
  });

  test('is null where there is none', () => {
    for (const nothing of [undefined, null, 7, {}, [], true, '', ' ', '\0', '\r\n\u2028']) {
      assert.equal(oneLineText(nothing, 10), null);
    }
  });

  test('shows by an ellipsis that it was cut', () => {
    assert.equal(shortText('abcdef', 6), 'abcdef');
    assert.equal(shortText('abcdefg', 6), 'abcde…');
    assert.equal(shortText('ab cdefg', 4), 'ab…');
    assert.equal(shortText(`${' '.repeat(1_000)}a`, 6), '…');
    assert.equal(quotedText('', 6), '“”');
    assert.equal(shortPath('/Invoice/cbc:ID', 7), '…cbc:ID');
  });

  test('costs no more when it is long', () => {
    const long = {
      blanks: ' \u200b\n'.repeat(5_000_000),
      letters: 'н'.repeat(10_000_000),
      halves: '\ud800'.repeat(5_000_000),
    };
    const before = process.threadCpuUsage();
    for (const text of Object.values(long)) {
      for (let round = 0; round < 100; round += 1) {
        oneLineText(text, 100);
        quotedText(text, 100);
        shortPath(text, 100);
      }
    }
    const { user, system } = process.threadCpuUsage(before);
    assert.ok(user + system < 1_000_000, `${user + system} µs`);
  });
});

test('what nobody sees in a wrong value is written out, and what everybody sees is left', () => {
  assert.equal(visibleText('14160.00\u00a0', 60), '14160.00&#xA0;');
  assert.equal(visibleText('\ufeff1\u202e2\u00ad3\u{e0041}', 60), '&#xFEFF;1&#x202E;2&#xAD;3&#xE0041;');
  assert.equal(visibleText(' a\r\n\tb &amp; Ж ', 60), 'a b &amp; Ж');
  assert.equal(visibleText('\u00a0'.repeat(1_000_000), 10), '&#xA0;&#x…');
  assert.match(visibleText(`1${' '.repeat(1_000)}2`, 10), /^1…$/u);
});
