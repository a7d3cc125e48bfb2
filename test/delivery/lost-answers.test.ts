import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../support/process.ts';
import { movableClock, startTestService, type TestService } from '../support/service.ts';
import { assertGapFree } from './gap-free.ts';
import { ALFA_EDB, historyOf, pull, registeredTimes, submitInvoice, unlimitedKey } from './submitting.ts';

const DOCUMENTS = 500;
const SEED = Math.floor(Math.random() * 1e6);
const clock = movableClock();
let service: TestService;

before(async () => {
  const variables = { DELIVERY_HOLD_SECONDS: '0', OUTCOME_WINDOW_SECONDS: '330', COLLECT_SECONDS: '86400' };
  service = await startTestService({ clock, variables });
});
after(() => service.stop());

test(`${DOCUMENTS} documents, answers lost at random (seed ${SEED}): each registered exactly once, none lost, histories gap-free`, async (t) => {
  const key = await unlimitedKey(service);
  await pull(service, 'faults', { loseAnswers: 0.3, loseRequests: 0.15, loseQueries: 0.1, seed: SEED });
  const numbers = Array.from({ length: DOCUMENTS }, (_, index) => `L-${index}`);
  const docUids = await Promise.all(numbers.map((number) => submitInvoice(service, key, number)));
  await until('nothing under way', nothingUnderWay, 120_000);
  const registered = await registeredTimes(service);
  for (const number of numbers) assert.equal(registered.get(number), 1, number);
  let lost = 0;
  for (const docUid of docUids) {
    assertGapFree(await historyOf(service, docUid));
    const attempts = await service.foundation.storage.deliveries.attempts(ALFA_EDB, docUid);
    lost += attempts.some(({ outcome }) => outcome === 'unknown') ? 1 : 0;
  }
  t.diagnostic(`${lost} of ${DOCUMENTS} documents lost at least one answer`);
  assert.ok(lost > DOCUMENTS / 4);
});

/** Hours pass between two looks, so that pauses and windows are over. */
async function nothingUnderWay(): Promise<boolean> {
  clock.advance(60_000);
  const filter = { created: { from: null, to: null }, statuses: [10, 20, 30] as const, partnerEdb: null };
  const { totalCount } = await service.foundation.storage.outbound.list(ALFA_EDB, filter, { page: 1, pageSize: 1 });
  return totalCount === 0;
}
