import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeySecrets } from '../../../src/adapters/credentials/key-secrets.ts';
import { callerNetwork } from '../../../src/domain/audit/caller-network.ts';
import { callerText, maskKeys } from '../../../src/domain/audit/caller-text.ts';
import { fc } from '../../support/seeds.ts';

const { issue } = createKeySecrets({ demoKeys: true });

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
  const parts = ['dostava_', '%25', '%2525', 'dostava_aaaaaaaaaaaaaaa%', 'demo-', '%64', 'd', 'dostava%5', '%'];
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
