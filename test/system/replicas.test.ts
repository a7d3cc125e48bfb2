import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/process.ts';
import { as } from '../support/service.ts';
import { startInstallation } from './replica-processes.ts';
import { assertAllDelivered, moreAnswers, startLoad } from './submission-load.ts';

const PLENTY = 1_000_000;
/** One of each is killed once; each of them again and again where time does not matter. */
const ROUNDS = process.env['TEST_LONG'] === '1' ? 8 : 1;
const ANSWERS_A_ROUND = 12;
const BETWEEN_CALLS_MS = 100;
const MINUTE_MS = 60_000;

test('two API replicas and two workers under load: one of each is killed, then the other one is stopped', async (t) => {
  const installation = await startInstallation(t);
  const { start, issueKey } = installation;
  const [apis, workers] = [
    await Promise.all([start('api'), start('api')]),
    await Promise.all([start('worker'), start('worker')]),
  ];
  const roots = apis.map(({ api }) => api);
  const { secret } = await issueKey(PLENTY);
  const callers = await Promise.all(
    // Up to 119 a minute the limit is exact; above, each replica may have a sixtieth of it at hand.
    [
      { limit: 30, tolerance: 0 },
      { limit: 120, tolerance: 2 * 2 },
    ].map(async (kind) => ({ ...kind, calling: callWithoutEnd(roots, (await issueKey(kind.limit)).secret) })),
  );
  const load = startLoad(roots, secret);
  for (let round = 0; round < ROUNDS; round += 1) {
    await moreAnswers(load, ANSWERS_A_ROUND);
    const victims = [apis[round % 2], workers[round % 2]].filter((replica) => replica !== undefined);
    await Promise.all(victims.map((replica) => replica.kill()));
    await moreAnswers(load, 2);
    await Promise.all(victims.map((replica) => replica.start()));
  }
  await t.test('a revoked key is refused by both replicas, although each remembers keys', async () => {
    const { secret: revoked, keyId } = await issueKey(PLENTY);
    for (const root of roots) assert.equal(await ping(root, revoked), 200);
    await installation.operator.keys.revoke(keyId);
    const isRefused = async () => (await Promise.all(roots.map((root) => ping(root, revoked)))).every(is401);
    await until('refused by both', isRefused);
  });

  // The end of a rolling restart: what was just started and what has run for long are side by side, then the older ones go.
  await moreAnswers(load, ANSWERS_A_ROUND);
  const [older, newer] = [ROUNDS % 2, (ROUNDS + 1) % 2];
  await Promise.all([apis[older]?.stop(), workers[older]?.stop()]);
  await moreAnswers(load, ANSWERS_A_ROUND);
  await load.stop();
  const told = `${load.answered.size} documents, ${load.brokenConnections()} broken connections`;
  t.diagnostic(`${told}, ${load.problems.length} problems`);

  for (const { limit, tolerance, calling } of callers) {
    await t.test(`a key with ${limit} calls a minute got them, and no more than ${tolerance} on top`, async (t) => {
      const { passed, refused, tookMs } = await calling.stop();
      const most = limit + (limit * tookMs) / MINUTE_MS + tolerance;
      t.diagnostic(`${passed} of ${most.toFixed(1)} passed, ${refused} were refused`);
      assert.ok(refused > 0 && passed >= limit && passed <= most, `${passed} where ${most} may pass`);
    });
  }

  await t.test('no answered document is lost, none doubled, and every one is accepted in the end', async () => {
    assert.deepEqual(load.surprises, []);
    assert.deepEqual(load.problems, []);
    await assertAllDelivered(roots[newer] ?? '', secret, load, installation.simulator);
  });

  await Promise.all([apis[newer], workers[newer]].map((replica) => replica?.stop()));
});

function callWithoutEnd(roots: readonly string[], key: string) {
  const counts = { passed: 0, refused: 0 };
  const started = performance.now();
  let isOver = false;
  const callers = roots.map(async (root) => {
    while (!isOver) {
      const status = await ping(root, key).catch(() => null);
      if (status === 200) counts.passed += 1;
      if (status === 429) counts.refused += 1;
      await pause(BETWEEN_CALLS_MS);
    }
  });
  return {
    /** Not before the limit was felt, however slow the machine. */
    async stop() {
      await until('calls refused', () => counts.refused > 0);
      isOver = true;
      await Promise.all(callers);
      return { ...counts, tookMs: performance.now() - started };
    },
  };
}

async function ping(root: string, key: string): Promise<number> {
  const answer = await fetch(`${root}/ping`, { headers: as(key) });
  await answer.arrayBuffer();
  return answer.status;
}

function is401(status: number): boolean {
  return status === 401;
}
