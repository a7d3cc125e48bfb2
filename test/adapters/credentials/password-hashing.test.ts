import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPasswordHashing } from '../../../src/adapters/credentials/password-hashing.ts';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';

const passwords = createPasswordHashing(systemRandom);

test('a password is known by its hash, which is another one each time and says what it cost', async () => {
  const [one, other] = [await passwords.hash('мојата лозинка'), await passwords.hash('мојата лозинка')];
  assert.notEqual(one, other);
  assert.match(one, /^scrypt-16384-8-5-/u);
  assert.equal(await passwords.isHashOf(one, 'мојата лозинка', ''), true);
  assert.equal(await passwords.isHashOf(other, 'мојата лозинка.', ''), false);
});

test('letters that look the same are the same, however the keyboard composes them', async () => {
  const cheap = createPasswordHashing(systemRandom, { N: 1_024, r: 1, p: 1 });
  const hash = await cheap.hash('caf\u00e9 caf\u00e9 caf\u00e9');
  assert.equal(await passwords.isHashOf(hash, 'cafe\u0301 cafe\u0301 cafe\u0301', ''), true);
});

test('nothing is the hash of any password where there is none, or none that can be read', async () => {
  const cheap = createPasswordHashing(systemRandom, { N: 1_024, r: 1, p: 1 });
  for (const hash of [null, '', 'scrypt-16384-8-5-x-y', `${await cheap.hash('secret')}x`]) {
    assert.equal(await cheap.isHashOf(hash, 'secret', ''), false);
  }
});

test('however many passwords of one origin wait, those of another take turns with them', async () => {
  const cheap = createPasswordHashing(systemRandom, { N: 1_024, r: 1, p: 1 });
  const order: string[] = [];
  const look = async (origin: string) => {
    await cheap.isHashOf(null, 'any', origin);
    order.push(origin);
  };
  await Promise.all([...Array.from({ length: 5 }, () => look('afar')), look('here')]);
  assert.deepEqual(order, ['afar', 'afar', 'here', 'afar', 'afar', 'afar']);
});
