import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { Problem } from '../../src/application/errors/problem.ts';
import { createBodyBudget } from '../../src/http/requests/body-budget.ts';

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
  share.grow(50);
  assert.throws(() => share.grow(1), isUnavailable);
  assert.throws(() => budget.shareOf(ALFA).grow(1), isUnavailable);
});

test('however many tenants have filled their shares, the next one finds room', () => {
  const budget = createBodyBudget(100_000);
  for (let number = 1; number <= 12; number += 1) {
    const share = budget.shareOf(readEdb(String(4_900_000_000_000 + number)));
    share.grow(1);
    try {
      for (;;) share.grow(1);
    } catch (error) {
      assert.ok(isUnavailable(error));
    }
  }
  budget.shareOf(ALFA).grow(1);
});

test('what one tenant gives back another can use', () => {
  const budget = createBodyBudget(90);
  const [alfa, beta] = [budget.shareOf(ALFA), budget.shareOf(BETA)];
  alfa.grow(40);
  beta.grow(25);
  assert.throws(() => beta.grow(1), isUnavailable);
  alfa.release();
  beta.grow(20);
  alfa.release();
  beta.release();
  budget.shareOf(GAMA).grow(45);
});

test('to check a size uses nothing up', () => {
  const budget = createBodyBudget(100);
  const share = budget.shareOf(ALFA);
  for (let count = 0; count < 10; count += 1) share.check(50);
  assert.throws(() => share.check(51), isUnavailable);
  share.grow(50);
});
