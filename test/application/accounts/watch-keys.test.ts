import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createKeySealing } from '../../../src/adapters/credentials/key-sealing.ts';
import { createSigners } from '../../../src/adapters/credentials/signers.ts';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import { readEdb } from '../../../src/application/accounts/manage-tenants.ts';
import { type KeyEvent, watchKeys } from '../../../src/application/accounts/watch-keys.ts';
import type { Signer } from '../../../src/application/ports/signer.ts';
import { MORNING } from '../../engines/samples.ts';
import { clockAt } from '../../support/test-clock.ts';

const MINUTE_MS = 60_000;
const ALFA = readEdb('4030026000018');
const [OURS, THEIRS] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

/** A worker with a CREDENTIALS_KEY of its own, over one credential that others may change. */
function startWatch() {
  const clock = clockAt();
  const seal = (key: string) => createKeySealing([key], systemRandom).seal(ALFA, 'the private key');
  const facts = { tenant: ALFA, certificate: 'PEM', serialNumber: 'A1', validTo: MORNING, changedAt: MORNING };
  let stored = { ...facts, ...seal(OURS) };
  const credentials = { find: async () => stored, page: async () => [stored] };
  const sealing = createKeySealing([OURS], systemRandom);
  const signers = createSigners({
    credentials,
    sealing,
    createSigner: async () => ({}) as Signer,
    createCommandSigner: () => ({}) as Signer,
    clock,
  });
  const events: KeyEvent[] = [];
  const nextTurn = () => Promise.resolve();
  const watch = watchKeys({ credentials, sealing, nextTurn, signers, clock, report: (event) => events.push(event) });
  return {
    ...watch,
    reseal(key: string) {
      stored = { ...stored, ...seal(key) };
    },
    replace(key: string) {
      stored = { ...facts, ...seal(key), changedAt: stored.changedAt + 1 };
    },
    /** Minutes in which there is always something to deliver; whether it may be each time. */
    async work(minutes: number): Promise<readonly boolean[]> {
      const served: boolean[] = [];
      for (let minute = 0; minute < minutes; minute += 1) {
        await watch.check();
        served.push(await watch.mayServe(ALFA));
        clock.advance(MINUTE_MS);
        served.push(await watch.mayServe(ALFA));
      }
      return served;
    },
    told: () => events.splice(0).map(({ reason, isInMemory, unopened }) => [reason !== null, isInMemory, unopened]),
  };
}

test('a key that others have sealed anew is used from memory without a pause, which is told once', async () => {
  const worker = startWatch();
  assert.deepEqual(await worker.work(1), [true, true]);
  worker.reseal(THEIRS);
  assert.deepEqual(await worker.work(3), Array(6).fill(true));
  assert.deepEqual([worker.told(), worker.unopened()], [[[true, true, 1]], []]);
  worker.reseal(OURS);
  await worker.work(2);
  assert.deepEqual(worker.told(), [[false, false, 0]]);
});

test('a key that is not in memory is left to others until it opens, which is told once', async () => {
  const worker = startWatch();
  worker.replace(THEIRS);
  assert.deepEqual(await worker.work(2), Array(4).fill(false));
  assert.deepEqual([worker.told(), worker.unopened()], [[[true, false, 1]], [ALFA]]);
  worker.replace(OURS);
  assert.deepEqual(await worker.work(1), [true, true]);
  assert.deepEqual([worker.told(), worker.unopened()], [[[false, false, 0]], []]);
});

test('a key that is replaced after it was used from memory is left to others, which is told too', async () => {
  const worker = startWatch();
  await worker.work(1);
  worker.reseal(THEIRS);
  await worker.work(1);
  worker.replace(THEIRS);
  assert.equal((await worker.work(1)).at(-1), false, 'a signer may be a second old');
  assert.deepEqual(worker.told(), [
    [true, true, 1],
    [true, false, 1],
  ]);
});
