import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withRandom } from '../support/seeds.ts';
import { fullCount } from './full-count.ts';
import { assertGapFree } from './gap-free.ts';
import { type Delivering, startDelivering, type Taxpayer } from './support.ts';

const DOCUMENTS = fullCount({ long: 500, sqlite: 60, postgres: 60 });
/** One user of the authority has two documents under way at a time: several make use of the machine. */
const TAXPAYERS = 8;
/** So much work takes a while on a machine that has other things to do. */
const MUCH_WORK_MS = 280_000;

let delivering: Delivering;
const taxpayers: Taxpayer[] = [];

before(async () => {
  delivering = await startDelivering({ OUTCOME_WINDOW_SECONDS: '60' });
  for (let index = 0; index < TAXPAYERS; index += 1) taxpayers.push(await delivering.join(`Даночен обврзник ${index}`));
});
after(() => delivering.service.stop());

test(`${DOCUMENTS} documents, answers lost at random: each registered exactly once, none lost, histories gap-free`, (t) =>
  withRandom(async (random) => {
    const seed = Math.floor(random() * 1e6);
    const { storage } = delivering.service.foundation;
    await delivering.pull('faults', { loseAnswers: 0.3, loseRequests: 0.15, loseQueries: 0.1, seed });
    const sent = await Promise.all(
      Array.from({ length: DOCUMENTS }, async (_, index) => {
        const taxpayer = taxpayers[index % TAXPAYERS] ?? assert.fail('no taxpayer');
        return { tenant: taxpayer.edb, number: `L-${index}`, docUid: await taxpayer.send(`L-${index}`) };
      }),
    );
    await delivering.passUntil('nothing under way', delivering.isNothingUnderWay, MUCH_WORK_MS);
    const registered = Map.groupBy(await delivering.registered(), ({ docNumber }) => docNumber);
    let lost = 0;
    for (const { tenant, number, docUid } of sent) {
      assert.equal(registered.get(number)?.length, 1, number);
      const history = await storage.outbound.history(tenant, docUid);
      assertGapFree(history);
      assert.equal(history.at(-1)?.status, 40, number);
      const attempts = await storage.deliveries.attempts(tenant, docUid);
      lost += attempts.some(({ outcome }) => outcome === 'unknown') ? 1 : 0;
    }
    t.diagnostic(`${lost} of ${DOCUMENTS} documents lost at least one answer`);
    // Two of five are expected to: so few would come once in a hundred thousand runs.
    assert.ok(lost > DOCUMENTS / 8);
  }));
