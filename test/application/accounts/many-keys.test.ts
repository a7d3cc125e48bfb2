import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOpenKeys, watchKeys } from '../../../src/application/accounts/watch-keys.ts';
import { KeyUnopened } from '../../../src/application/errors/key-unopened.ts';
import { OperatorError } from '../../../src/application/errors/operator-error.ts';
import type { SealedCredential } from '../../../src/application/ports/storage/credential-store.ts';
import { type Edb, parseEdb } from '../../../src/domain/accounts/edb.ts';
import { MORNING } from '../../engines/samples.ts';
import { clockAt } from '../../support/test-clock.ts';

const MANY = 1_050;

function edbOf(index: number): Edb {
  return parseEdb(String(4_030_000_000_000 + index)) ?? assert.fail();
}

/** So many tenants with a key, of which those in `wrong` do not open. */
function keysOf(count: number, wrong: ReadonlySet<Edb>) {
  const sealed = { sealedKey: new Uint8Array(), sealedBy: '', certificate: '', serialNumber: '', changedAt: MORNING };
  const all = Array.from({ length: count }, (_, index) => ({ tenant: edbOf(index), validTo: MORNING, ...sealed }));
  let sinceTurn = 0;
  let atOnce = 0;
  return {
    all,
    mostAtOnce: () => atOnce,
    needs: {
      credentials: {
        page: async (after: string, limit: number) => all.filter(({ tenant }) => tenant > after).slice(0, limit),
      },
      sealing: {
        open({ tenant }: SealedCredential) {
          sinceTurn += 1;
          atOnce = Math.max(atOnce, sinceTurn);
          if (wrong.has(tenant)) throw new OperatorError('refused', `not ${tenant}`);
          return { kind: 'private-key' as const, pem: '' };
        },
      },
      async nextTurn() {
        sinceTurn = 0;
      },
    },
  };
}

test('the keys of thousands of tenants are looked at without holding up anything else', async () => {
  const wrong = new Set([edbOf(0), edbOf(MANY - 1)]);
  const { all, needs, mostAtOnce } = keysOf(MANY, wrong);
  const told: string[] = [];
  const { check, unopened } = watchKeys({
    ...needs,
    signers: {
      async find(tenant) {
        if (wrong.has(tenant)) throw new KeyUnopened(tenant, 'It does not open.');
        return null;
      },
    },
    clock: clockAt(),
    report: ({ tenant, reason }) => told.push(`${tenant} ${reason}`),
  });
  await check();
  assert.deepEqual(unopened(), [...wrong]);
  assert.ok(mostAtOnce() <= 100, `${mostAtOnce()} at once`);
  all.pop();
  wrong.delete(edbOf(0));
  await check();
  assert.deepEqual(unopened(), [], 'one opens again, the other is gone');
  assert.equal(told.length, 4);
});

test('at the start every key is tried, and those that do not open are named', async () => {
  await requireOpenKeys(keysOf(MANY, new Set()).needs);
  const { needs, mostAtOnce } = keysOf(MANY, new Set([edbOf(7)]));
  await assert.rejects(requireOpenKeys(needs), new RegExp(`1 of ${MANY} taxpayers: ${edbOf(7)}\\.`, 'u'));
  assert.ok(mostAtOnce() <= 100);
});
