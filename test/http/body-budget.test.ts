import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { Problem } from '../../src/application/errors/problem.ts';
import { createBodyBudget } from '../../src/http/requests/body-budget.ts';
import { createGrowingBuffer } from '../../src/http/requests/growing-buffer.ts';

const [ALFA, BETA, GAMA] = ['4030026000018', '4080026000023', '4001026000034'].map(readEdb) as [
  ReturnType<typeof readEdb>,
  ReturnType<typeof readEdb>,
  ReturnType<typeof readEdb>,
];

function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.status === 503 && error.retryAfterSeconds !== null;
}

test('a tenant alone has half of the budget, and is refused beyond it', () => {
  const budget = createBodyBudget(100);
  const share = budget.shareOf(ALFA);
  share.hold(50);
  assert.throws(() => share.hold(51), isUnavailable);
  assert.throws(() => budget.shareOf(ALFA).hold(1), isUnavailable);
});

test('however many tenants have filled their shares, the next one finds room', () => {
  const budget = createBodyBudget(100_000);
  for (let number = 1; number <= 12; number += 1) {
    const share = budget.shareOf(readEdb(String(4_900_000_000_000 + number)));
    share.hold(1);
    try {
      for (let bytes = 2; ; bytes += 1) share.hold(bytes);
    } catch (error) {
      assert.ok(isUnavailable(error));
    }
  }
  budget.shareOf(ALFA).hold(1);
});

test('what one tenant gives back another can use', () => {
  const budget = createBodyBudget(90);
  const [alfa, beta] = [budget.shareOf(ALFA), budget.shareOf(BETA)];
  alfa.hold(40);
  beta.hold(25);
  assert.throws(() => beta.hold(26), isUnavailable);
  alfa.hold(0);
  beta.hold(45);
  alfa.release();
  beta.release();
  budget.shareOf(GAMA).hold(45);
});

test('to check a size uses nothing up', () => {
  const budget = createBodyBudget(100);
  const share = budget.shareOf(ALFA);
  for (let count = 0; count < 10; count += 1) share.check(50);
  assert.throws(() => share.check(51), isUnavailable);
  share.hold(50);
});

test('the largest body fits, alone in half of the budget, also when its length was not announced', () => {
  const most = 10_485_760;
  const budget = createBodyBudget(2 * most);
  const share = budget.shareOf(ALFA);
  const body = createGrowingBuffer(most, share.hold);
  for (let arrived = 0; arrived < most; arrived += 65_536) body.add(new Uint8Array(65_536));
  assert.equal(body.bytes().length, most);
  assert.throws(() => budget.shareOf(ALFA).hold(1), isUnavailable, 'the whole is charged');
  share.release();
});

test('a body is charged for the memory that it takes, not for the bytes in it alone', () => {
  const budget = createBodyBudget(4_000_000);
  const body = createGrowingBuffer(1_048_576, budget.shareOf(ALFA).hold);
  body.add(new Uint8Array(65_536));
  body.add(new Uint8Array(1));
  const other = budget.shareOf(ALFA);
  assert.throws(() => other.check(2_000_000 - 131_072 + 1), isUnavailable);
  other.check(2_000_000 - 131_072);
  body.bytes();
  other.check(2_000_000 - 65_537);
});
