import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresServer } from '../support/postgres.ts';
import { isListening, temporaryFolder, until } from '../support/process.ts';
import { installationOn } from './replica-processes.ts';
import { assertAllDelivered, moreAnswers, startLoad } from './submission-load.ts';

const PLENTY = 1_000_000;
const DELIVERED = /^dostava_deliveries_total\{[^}]*outcome="accepted"/mu;

const PLACES = {
  'one folder': async () => ({ DATA_DIR: temporaryFolder() }),
  PostgreSQL: async () => ({ DATABASE_URL: await (await postgresServer()).createDatabase() }),
};

for (const [place, database] of Object.entries(PLACES)) {
  test(`an interface and a worker over ${place}: one takes documents, the other delivers them`, async (t) => {
    const installation = await installationOn(t, await database());
    const [api, worker] = await Promise.all([installation.start('api'), installation.start('worker')]);
    const { secret } = await installation.issueKey(PLENTY);
    const load = startLoad([api.api], secret);
    await moreAnswers(load, 4);
    await load.stop();
    await assertAllDelivered(api.api, secret, load, installation.simulator);
    assert.deepEqual([load.surprises, load.problems], [[], []]);

    assert.equal(await isListening(Number(new URL(worker.api).port)), false, 'a worker has no interface');
    for (const { opsUrl } of [api, worker]) {
      for (const path of ['/health/live', '/health/ready']) assert.equal((await fetch(opsUrl + path)).status, 200);
    }
    assert.match(await metrics(worker.opsUrl), DELIVERED);
    assert.doesNotMatch(await metrics(api.opsUrl), DELIVERED);
    assert.match(await metrics(api.opsUrl), /^dostava_http_requests_total\{route="\/api/mu);
    await Promise.all([api.stop(), worker.stop()]);
  });
}

test('with an interface alone documents wait, and a worker that comes later delivers them', async (t) => {
  const installation = await installationOn(t, { DATA_DIR: temporaryFolder() });
  const api = await installation.start('api');
  const { secret } = await installation.issueKey(PLENTY);
  const load = startLoad([api.api], secret);
  await moreAnswers(load, 8);
  await load.stop();
  const { simulator } = installation;
  const answer = (await (await fetch(`${simulator.adminUrl}/documents`)).json()) as { readonly documents: unknown[] };
  assert.deepEqual(answer.documents, []);
  const worker = await installation.start('worker');
  await until('ready', async () => (await fetch(`${worker.opsUrl}/health/ready`)).status === 200);
  await assertAllDelivered(api.api, secret, load, simulator);
  await Promise.all([api.stop(), worker.stop()]);
});

async function metrics(opsUrl: string): Promise<string> {
  return (await fetch(`${opsUrl}/metrics`)).text();
}
