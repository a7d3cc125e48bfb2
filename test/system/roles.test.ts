import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isListening, temporaryFolder, until } from '../support/process.ts';
import { installationOn } from './replica-processes.ts';
import { assertAllDelivered, moreAnswers, startLoad } from './submission-load.ts';

const PLENTY = 1_000_000;
const DELIVERED = /^dostava_deliveries_total\{[^}]*outcome="accepted"/mu;

/** On PostgreSQL the same is shown by test/system/replicas.test.ts, with two of each. */
test('an interface and a worker over one folder: one takes documents, which wait until the other delivers them', async (t) => {
  const installation = await installationOn(t, { DATA_DIR: temporaryFolder() });
  const { simulator } = installation;
  const api = await installation.start('api');
  const { secret } = await installation.issueKey(PLENTY);
  const load = startLoad([api.api], secret);
  await moreAnswers(load, 8);
  const answer = (await (await fetch(`${simulator.adminUrl}/documents`)).json()) as { readonly documents: unknown[] };
  assert.deepEqual(answer.documents, []);
  const worker = await installation.start('worker');
  await moreAnswers(load, 4);
  await load.stop();
  await assertAllDelivered(api.api, secret, load, simulator);
  assert.deepEqual([load.surprises, load.problems], [[], []]);

  assert.equal(await isListening(Number(new URL(worker.api).port)), false, 'a worker has no interface');
  for (const { opsUrl } of [api, worker]) {
    await until('ready', async () => (await fetch(`${opsUrl}/health/ready`)).status === 200);
    assert.equal((await fetch(`${opsUrl}/health/live`)).status, 200);
  }
  assert.match(await metrics(worker.opsUrl), DELIVERED);
  assert.doesNotMatch(await metrics(api.opsUrl), DELIVERED);
  assert.match(await metrics(api.opsUrl), /^dostava_http_requests_total\{route="\/api/mu);
  await Promise.all([api.stop(), worker.stop()]);
});

async function metrics(opsUrl: string): Promise<string> {
  return (await fetch(`${opsUrl}/metrics`)).text();
}
