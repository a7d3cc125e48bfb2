import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createKeySecrets } from '../../../src/adapters/credentials/key-secrets.ts';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import { fc } from '../../support/seeds.ts';

const strict = createKeySecrets({ random: systemRandom, demoKeys: false });
const demo = createKeySecrets({ random: systemRandom, demoKeys: true });

test('an issued key has the prefix, 32 random characters and 6 of checksum', () => {
  assert.match(strict.issue(), /^dostava_[0-9A-Za-z]{38}$/);
});

test('an issued key is well-formed, and no two are alike', () => {
  const issued = Array.from({ length: 500 }, () => strict.issue());
  assert.ok(issued.every((secret) => strict.isWellFormed(secret) && demo.isWellFormed(secret)));
  assert.equal(new Set(issued).size, issued.length);
  // Every place of the random part varies: none of it is fixed.
  for (let place = 8; place < 40; place += 1) assert.ok(new Set(issued.map((secret) => secret[place])).size > 20);
});

test('every character of the alphabet is as likely as the others', () => {
  let next = 0;
  const everyByteInTurn = { bytes: (count: number) => Uint8Array.from({ length: count }, () => next++ % 256) };
  const { issue } = createKeySecrets({ random: everyByteInTurn, demoKeys: false });
  // Of 256 bytes 248 are used, four for each character: 31 keys take 992, which are four rounds.
  const characters = Array.from({ length: 31 }, () => issue().slice(8, 40)).join('');
  const counts = Map.groupBy(characters, (character) => character);
  assert.equal(counts.size, 62);
  for (const [character, found] of counts) assert.equal(found.length, 16, character);
});

test('a slip of one character is noticed before any look-up', () => {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 45 }), fc.constantFrom(...letters), (place, letter) => {
      const secret = strict.issue();
      fc.pre(secret[place] !== letter);
      assert.equal(strict.isWellFormed(secret.slice(0, place) + letter + secret.slice(place + 1)), false);
    }),
  );
});

test('two characters that changed places are noticed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 44 }), (place) => {
      const secret = strict.issue();
      const [one, two] = [secret[place] ?? '', secret[place + 1] ?? ''];
      fc.pre(one !== two);
      assert.equal(strict.isWellFormed(secret.slice(0, place) + two + one + secret.slice(place + 2)), false);
    }),
  );
});

test('whatever has not the form of a key is not well-formed', () => {
  const secret = strict.issue();
  for (const text of [
    '',
    'dostava_',
    secret.slice(1),
    secret.slice(0, -1),
    `${secret} `,
    `${secret}\n`,
    secret.toUpperCase(),
  ]) {
    assert.equal(strict.isWellFormed(text), false, text);
  }
  fc.assert(fc.property(fc.string(), (text) => assert.equal(strict.isWellFormed(text), false)));
});

test('demo keys are well-formed only where they are allowed', () => {
  for (const key of ['demo-alfa', 'demo-limited']) {
    assert.equal(demo.isWellFormed(key), true);
    assert.equal(strict.isWellFormed(key), false);
  }
  for (const key of ['demo-', 'demo-Alfa', 'demo-alfa ', 'demo-alfa1', 'DEMO-alfa'])
    assert.equal(demo.isWellFormed(key), false);
});

test('the hash of a secret is its SHA-256', () => {
  assert.deepEqual(
    Buffer.from(strict.hash('demo-alfa')).toString('hex'),
    createHash('sha256').update('demo-alfa', 'utf8').digest('hex'),
  );
  assert.equal(
    Buffer.from(strict.hash('')).toString('hex'),
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
});
