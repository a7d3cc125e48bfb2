import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../support/process.ts';
import { as } from '../support/service.ts';
import { type Replica, startInstallationOnOwnServer } from './replica-processes.ts';
import { assertAllDelivered, moreAnswers, startLoad } from './submission-load.ts';

const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');
const PLENTY = 1_000_000;
const OUTAGES = process.env['TEST_LONG'] === '1' ? 5 : 1;

test('PostgreSQL stopped and started again under load, then started as a standby', async (t) => {
  const installation = await startInstallationOnOwnServer(t);
  const { server, start } = installation;
  const [api, worker] = await Promise.all([start('api'), start('worker')]);
  const { secret } = await installation.issueKey(PLENTY);
  const load = startLoad([api.api], secret);
  for (let outage = 0; outage < OUTAGES; outage += 1) {
    await moreAnswers(load, 12);
    await server.stop();
    const before = load.problems.length;
    await until('clients hear of it', () => load.problems.length >= before + 12);
    await until('the worker says so', async () => !(await isReady(worker.opsUrl)));
    assert.equal(await consoleStatus(worker.opsUrl), 503);
    await server.start();
  }
  await moreAnswers(load, 12);
  await load.stop();
  t.diagnostic(`${load.answered.size} documents, ${load.problems.length} problems`);

  await t.test('clients saw nothing but answers and problems of the kinds that say: come again', () => {
    assert.deepEqual([load.surprises, load.brokenConnections()], [[], 0]);
  });

  await t.test('afterwards the counts match exactly, and the worker has gone on by itself', () =>
    assertAllDelivered(api.api, secret, load, installation.simulator),
  );

  await t.test('every process is ready again', async () => {
    for (const { opsUrl } of [api, worker]) await until('ready', () => isReady(opsUrl));
  });

  await t.test('on a standby documents can be read; what would change something is put off', () =>
    readFromStandby(installation, api, secret),
  );

  await t.test('none was restarted', async () => {
    await Promise.all([api, worker].map((replica) => replica.stop()));
  });
});

async function readFromStandby(
  { server, issueKey }: Awaited<ReturnType<typeof startInstallationOnOwnServer>>,
  { api, opsUrl }: Replica,
  secret: string,
): Promise<void> {
  const { secret: limited } = await issueKey(5);
  const submit = (number: string) => {
    const headers = as(secret, { 'X-Idempotency-Key': number });
    return fetch(`${api}/outbound`, { method: 'POST', headers, body: INVOICE.replace('2026-7001', number) });
  };
  const first = await submit('S-1');
  assert.equal(first.status, 201);
  const { docUid } = (await first.json()) as { readonly docUid: string };
  const signal = join(server.folder, 'data', 'standby.signal');

  await server.stop();
  await writeFile(signal, '');
  await server.start();
  for (const path of [`/outbound/${docUid}`, `/outbound/${docUid}/file`, '/outbound', '/inbound', '/ping']) {
    assert.equal((await fetch(`${api}${path}`, { headers: as(secret) })).status, 200, path);
  }
  const refused = await submit('S-2');
  const { code } = (await refused.json()) as { readonly code: string | null };
  assert.deepEqual([refused.status, code], [503, null]);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  await until('not ready', async () => !(await isReady(opsUrl)));
  const statuses = [];
  for (let call = 0; call < 6; call += 1) {
    statuses.push((await fetch(`${api}/ping`, { headers: as(limited) })).status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429], 'the process counts for itself');

  await server.stop();
  await rm(signal);
  await server.start();
  assert.equal((await submit('S-2')).status, 201);
  await until('ready', () => isReady(opsUrl));
}

/** Of a page for somebody who was signed in. */
async function consoleStatus(opsUrl: string): Promise<number> {
  const cookie = `dostava-console-${new URL(opsUrl).port}=${'0'.repeat(64)}`;
  return (await fetch(`${opsUrl}/console`, { headers: { cookie } })).status;
}

async function isReady(opsUrl: string): Promise<boolean> {
  const answer = await fetch(`${opsUrl}/health/ready`);
  await answer.arrayBuffer();
  return answer.status === 200;
}
