import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { postgresServer } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import { as } from '../support/service.ts';
import { installationOn } from './replica-processes.ts';

const PLENTY = 1_000_000;
const HALF_AN_HOUR_MS = 1_800_000;
const HOUR_AHEAD = `--import=${new URL('./hour-ahead.js', import.meta.url)}`;
const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');

test('processes on PostgreSQL go by its clock, whatever their machines say, and a worker whose machine is wrong stops', async (t) => {
  const DATABASE_URL = await (await postgresServer()).createMigratedDatabase();
  const installation = await installationOn(t, { DATABASE_URL, NODE_OPTIONS: HOUR_AHEAD });
  const [api, worker] = await Promise.all([installation.start('api'), installation.start('worker')]);
  const { secret } = await installation.issueKey(PLENTY);
  const answer = await fetch(`${api.api}/outbound`, {
    method: 'POST',
    headers: as(secret, { 'X-Idempotency-Key': 'one' }),
    body: INVOICE,
  });
  assert.equal(answer.status, 201);
  const { receivedAt } = (await answer.json()) as { readonly receivedAt: string };
  assert.ok(Date.parse(receivedAt) < Date.now() + HALF_AN_HOUR_MS, receivedAt);
  await until('the worker says which clock is wrong', async () => {
    const ready = await fetch(`${worker.opsUrl}/health/ready`);
    return ready.status === 503 && /clock is \d+ s ahead of that of database/u.test(await ready.text());
  });
  await Promise.all([api.stop(), worker.stop()]);
});
