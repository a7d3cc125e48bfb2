import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeySecrets } from '../../../src/adapters/credentials/key-secrets.ts';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import { callerNetwork } from '../../../src/domain/audit/caller-network.ts';
import { callerText, maskKeys } from '../../../src/domain/audit/caller-text.ts';
import { fc } from '../../support/seeds.ts';

const { issue } = createKeySecrets({ random: systemRandom, demoKeys: true });

/** Ways in which a character of a key may be written in a URL. */
function written(key: string, ways: readonly number[]): string {
  return [...key]
    .map((character, index) => {
      const way = ways[index % ways.length] ?? 0;
      const hex = character.charCodeAt(0).toString(16);
      return way === 0 ? character : `%${'25'.repeat(way - 1)}${way % 2 === 0 ? hex : hex.toUpperCase()}`;
    })
    .join('');
}

/** What somebody reads in a text who decodes whatever is encoded. */
function decoded(text: string): string {
  let current = text;
  for (;;) {
    const next = current.replaceAll(/%([0-9a-f]{2})/giu, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === current) return current;
    current = next;
  }
}

const around = fc.string({ unit: 'grapheme', maxLength: 300 });
const ways = fc.array(fc.nat(3), { minLength: 1, maxLength: 46 });

test('a key anywhere in a text, as it is or percent-encoded once or several times, is not in what is kept', () => {
  fc.assert(
    fc.property(around, ways, around, (before, encoding, after) => {
      const key = issue();
      const random = key.slice('dostava_'.length);
      for (const keep of [maskKeys, callerText]) {
        const kept = decoded(keep(`${before}${written(key, encoding)}${after}`));
        assert.ok(!kept.includes(random.slice(0, 16)) && !kept.includes(random.slice(-16)), kept);
      }
    }),
  );
});

/** Ways to write one character. */
const ENCODINGS: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => `%${hexOf(character)}`,
  (character) => `%25${hexOf(character)}`,
  (character) => `%25%32%35${hexOf(character)}`,
  (character) => `%u00${hexOf(character)}`,
  (character) => `\\u00${hexOf(character)}`,
  (character) => `\\\\u00${hexOf(character)}`,
  (character) => `\\x${hexOf(character)}`,
  (character) => `&#${character.charCodeAt(0)};`,
  (character) => `&#x${hexOf(character)};`,
  (character) => `&amp;#${character.charCodeAt(0)};`,
  (character) => `%C${character.charCodeAt(0) >> 6}%${((character.charCodeAt(0) & 0x3f) | 0x80).toString(16)}`,
  (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0),
];
const hexOf = (character: string) => character.charCodeAt(0).toString(16);

/** What may stand between pieces. */
const SEPARATORS = [
  '/',
  ' ',
  '+',
  "'",
  '-',
  ',',
  '_',
  '__',
  '.',
  ':',
  '\n',
  '\u00ad',
  '%C2%AD',
  '\u200b',
  '%E2%80%8B',
  '%E2%80%AA',
];
/** How a key is changed as a whole, before it is put among other text. */
const WRAPPINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => Buffer.from(text).toString('base64'),
  (text) => `Basic ${Buffer.from(`x:${text}`).toString('base64')}`,
  (text) => `W-b64/${Buffer.from(`"${text}"}`).toString('base64url')}`,
  (text) => Buffer.from(text).toString('hex'),
  (text) => `0${Buffer.from(text).toString('hex').toUpperCase()}`,
  (text) => encodeURIComponent(encodeURIComponent(Buffer.from(text).toString('base64'))),
  (text) => [...text].map((character) => `=${hexOf(character)}`).join(''),
];
const PREFIXES = ['dostava_', 'dostava-', 'dostava__', 'ostava_', '', 'dostava_/', 'key='];

const disguise = fc.record({
  prefix: fc.constantFrom(...PREFIXES),
  /** Lengths of the pieces, and what is between them. */
  pieces: fc.array(fc.tuple(fc.integer({ min: 1, max: 38 }), fc.constantFrom(...SEPARATORS)), { maxLength: 12 }),
  encodings: fc.array(fc.nat(ENCODINGS.length - 1), { minLength: 1, maxLength: 10 }),
  wrapping: fc.nat(WRAPPINGS.length - 1),
  isWrapped: fc.boolean(),
});

/** The 38 characters with every separator between them, and each character as the encodings say. */
function disguised(random: string, { pieces, encodings }: { pieces: [number, string][]; encodings: number[] }): string {
  const parts: string[] = [];
  let position = 0;
  const encoded = (text: string) =>
    [...text].map((one, index) => (ENCODINGS[encodings[index % encodings.length] ?? 0] ?? String)(one)).join('');
  for (const [length, separator] of [...pieces, [random.length, ''] as const]) {
    parts.push(encoded(random.slice(position, position + length)), separator);
    position += length;
  }
  return parts.join('');
}

/** Twelve characters of a key in a row: as they are, or after everything that a reader can take away or decode. */
function piecesIn(kept: string, random: string): readonly string[] {
  const bytes = [kept, kept.replace(/[^0-9A-Za-z]/gu, '')].flatMap((text) => [
    text,
    ...[0, 1, 2, 3].map((first) => Buffer.from(text.slice(first), 'base64').toString('latin1')),
    ...[0, 1].map((first) => Buffer.from(text.slice(first), 'hex').toString('latin1')),
  ]);
  const pieces = Array.from({ length: random.length - 11 }, (_, index) => random.slice(index, index + 12));
  return pieces.filter((piece) => bytes.some((text) => text.includes(piece)));
}

test('a key in pieces, escaped, in base64 or hexadecimal, with or without its prefix, is not in what is kept', () => {
  fc.assert(
    fc.property(around, disguise, around, (before, { prefix, wrapping, isWrapped, ...ways }, after) => {
      const random = issue().slice('dostava_'.length);
      const wrap = WRAPPINGS[wrapping] ?? String;
      const text = isWrapped ? wrap(`${prefix}${random}`) : `${prefix}${disguised(random, ways)}`;
      for (const keep of [maskKeys, callerText]) {
        const kept = keep(`${before}/${text}/${after}`);
        assert.deepEqual(piecesIn(decoded(kept), random), [], kept);
      }
    }),
    { numRuns: 500 },
  );
});

test('what a caller disguised so often that nobody would read it is withheld as a whole', () => {
  let text = issue();
  for (let round = 0; round < 8; round += 1) text = text.replaceAll(/[%0-9A-Za-z]/gu, (one) => `%${hexOf(one)}`);
  assert.equal(maskKeys(text), '***');
});

test('the first half of a key in pieces after its prefix is not kept; nearly none is taken for a name', () => {
  let seen = 0;
  for (let round = 0; round < 500; round += 1) {
    const random = issue().slice(8);
    const kept = maskKeys(`/dostava_${random.slice(0, 10)}-${random.slice(10, 20)}-${random.slice(20, 30)}/`);
    if (kept.includes(random.slice(0, 10))) seen += 1;
  }
  assert.ok(seen <= 25, `${seen} of 500`);
});

test('a key that is cut off, mistyped or in other letters is not kept either', () => {
  const key = issue();
  for (const text of [key.slice(0, 30), `${key.slice(0, -1)}!`, key.toUpperCase(), key.toLowerCase(), `x${key}y`]) {
    assert.ok(!maskKeys(text).toLowerCase().includes(key.slice(8, 24).toLowerCase()), text);
  }
});

test('the keys of the demo environment are not kept; ordinary names are', () => {
  assert.equal(callerText('/ping/demo-alfa/x'), '/ping/demo-***/x');
  assert.equal(callerText('demo%2Dalfa'), 'demo%2D***');
  for (const text of [
    'dostava_connector/1.0',
    '/api/integration/v1/outbound',
    'Сметководство/2.0 <x>',
    'democracy-now',
    'dostava_Win11Connector/2.0.1 (build 7)',
    'Dostava-Client/4.2 Node.js/24.1.0 Linux-x64',
    '/api/integration/v1/outbound/01890a5d-ac96-774b-bcce-b302099a8057/file',
    '/dostava/api/integration/v1/outbound/01890a5d-ac96-774b-bcce-b302099a8057',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0',
    '%D0%A1%D0%BC%D0%B5%D1%82%D0%BA%D0%BE%D0%B2%D0%BE%D0%B4%D1%81%D1%82%D0%B2%D0%BE/1.0',
  ])
    assert.equal(callerText(text), text);
});

test('a text is kept up to 200 characters, in one line; the key is looked for before it is cut', () => {
  const key = issue();
  for (let length = 150; length <= 200; length += 1) {
    const kept = callerText(`${'x'.repeat(length)}${key}`);
    assert.ok(kept.length <= 200 && !kept.includes(key.slice(8, 12)), kept);
  }
  assert.equal(callerText('a\r\nb\u0000c\u001b[2J'), 'a b c [2J');
  assert.equal(callerText('x'.repeat(16_384)).length, 200);
});

test('masking takes time in proportion to the text, whatever it is made of', () => {
  const parts = [
    'dostava_',
    '%25',
    '%2525',
    'dostava_aaaaaaaaaaaaaaa%',
    'demo-',
    '%64',
    'd',
    'dostava%5',
    '%',
    '&#',
    '\\u00',
    '=41',
    '0x',
    '&amp;',
    '00000000',
    '4',
    '\u00c1\u0080',
    '%u00',
  ];
  for (const part of parts) {
    const timeOf = (length: number) => {
      const text = part.repeat(Math.ceil(length / part.length));
      const began = process.cpuUsage();
      for (let round = 0; round < 5; round += 1) callerText(text);
      const { user, system } = process.cpuUsage(began);
      return user + system;
    };
    timeOf(10_000);
    // Quadratic work would take 10,000 times as long for 100 times the length.
    assert.ok(timeOf(1_000_000) < 2_000 * Math.max(timeOf(10_000), 500), part);
  }
});

test('an IPv4 address stands for itself, an IPv6 address for its /64', () => {
  assert.equal(callerNetwork('192.0.2.7'), '192.0.2.7');
  assert.equal(callerNetwork('::ffff:192.0.2.7'), '::ffff:192.0.2.7');
  assert.equal(callerNetwork('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(callerNetwork('2001:0db8:0001:0002::1'), '2001:db8:1:2::/64');
  assert.equal(callerNetwork('2001:db8::1'), '2001:db8:0:0::/64');
  assert.equal(callerNetwork('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(callerNetwork('::1'), '0:0:0:0::/64');
  for (const address of ['2001:db8:0:7::1', '2001:DB8:0:7:aaaa:bbbb:cccc:dddd', '2001:db8:0:7:8::']) {
    assert.equal(callerNetwork(address), '2001:db8:0:7::/64');
  }
  assert.notEqual(callerNetwork('2001:db8:0:8::1'), callerNetwork('2001:db8:0:7::1'));
});
