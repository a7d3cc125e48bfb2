import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/process.ts';
import { as } from '../support/service.ts';
import { startInstallation } from './replica-processes.ts';
import { assertAllDelivered, moreAnswers, startLoad } from './submission-load.ts';

const PLENTY = 1_000_000;
/** Each of them is killed once; more often where time does not matter. */
const ROUNDS = process.env['TEST_LONG'] === '1' ? 8 : 2;
const ANSWERS_A_ROUND = 12;
const BETWEEN_CALLS_MS = 100;
const MINUTE_MS = 60_000;

test('two API replicas and two workers, one of each killed again and again under load', async (t) => {
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
    await assertAllDelivered(roots[0] ?? '', secret, load, installation.simulator);
  });

  await t.test('a revoked key is refused by both replicas, although each remembers keys', async () => {
    const { secret: revoked, keyId } = await issueKey(PLENTY);
    for (const root of roots) assert.equal(await ping(root, revoked), 200);
    await installation.operator.keys.revoke(keyId);
    const isRefused = async () => (await Promise.all(roots.map((root) => ping(root, revoked)))).every(is401);
    await until('refused by both', isRefused);
  });

  await Promise.all([...apis, ...workers].map((replica) => replica.stop()));
});

test('a rolling restart under load: old and new side by side, and nothing is lost', async (t) => {
  const installation = await startInstallation(t);
  const old = await installation.start('all');
  const { secret } = await installation.issueKey(PLENTY);
  const next = await installation.reserve('all');
  const load = startLoad([old.api, next.api], secret);
  await moreAnswers(load, 8);
  await next.start();
  await moreAnswers(load, 8);
  await old.stop();
  await moreAnswers(load, 8);
  await load.stop();
  assert.deepEqual([load.surprises, load.problems], [[], []]);
  await assertAllDelivered(next.api, secret, load, installation.simulator);
  await next.stop();
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
