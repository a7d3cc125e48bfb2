import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createKeySealing } from '../../src/adapters/credentials/key-sealing.ts';
import { ANSWERS_LIMIT_MS } from '../../src/app/background.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import type { Timers } from '../../src/application/ports/platform.ts';
import { readConfig } from '../../src/config.ts';
import { startGateway } from '../delivery/forwarder.ts';
import { docUidOf } from '../support/doc-uid.ts';
import { openConnection, requestHead } from '../support/http-client.ts';
import { temporaryFolder, until } from '../support/process.ts';
import { as, startTestService, WITH_BACKGROUND } from '../support/service.ts';
import { steadyElapsedMs, steadyTimers } from '../support/steady-time.ts';

const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');

type Task = { readonly name: string; readonly lease: string | null };

const TASKS = 'select name, lease from recurring_task';

test('a stop interrupts what waits for its turn at the authority, and leaves it to the next process at once', async () => {
  // With a pace of a minute every request but the first of a user waits for longer than a stop may take.
  const service = await startTestService({ variables: { ...WITH_BACKGROUND, AUTHORITY_PACE_MS: '60000' } });
  const { engine } = service.foundation;
  await until('tasks under way', async () => (await engine.all<Task>(TASKS, [])).some(({ lease }) => lease !== null));
  await service.stop();
  const reopened = await openFoundation(readConfig(service.database));
  const tasks = await reopened.engine.all<Task>(TASKS, []);
  await reopened.engine.close();
  assert.ok(tasks.length > 0);
  assert.deepEqual(
    tasks.filter(({ lease }) => lease !== null),
    [],
  );
});

test('while deliveries under way are finished the interface answers, and takes documents: it closes last', async (t) => {
  const variables = {
    ...WITH_BACKGROUND,
    COLLECT_SECONDS: '86400',
    FOLLOW_SECONDS: '86400',
    DELIVERY_HOLD_SECONDS: '0',
  };
  const mayAnswer = Promise.withResolvers<null>();
  const service = await startTestService({
    variables,
    async between(urls) {
      const gateway = await startGateway(urls.receiver, () => mayAnswer.promise);
      t.after(gateway.close);
      return { ...urls, receiver: gateway.root };
    },
  });
  const submit = (number: string) =>
    fetch(`${service.api}/outbound`, {
      method: 'POST',
      headers: as('demo-alfa', { 'X-Idempotency-Key': number }),
      body: INVOICE.replaceAll('2026-7001', number),
    });
  const slow = (await (await submit('SLOW-1')).json()) as { readonly docUid: string };
  const { engine } = service.foundation;
  const status = async () =>
    (await engine.get<{ readonly status: number }>('select status from outbound where doc_uid = $1', [slow.docUid]))
      ?.status;
  await until('the document on its way', async () => (await status()) === 30);
  const stopped = service.stop();
  assert.equal((await fetch(`${service.opsUrl}/health/ready`)).status, 503);
  assert.equal((await fetch(`${service.api}/ping`, { headers: as('demo-alfa') })).status, 200);
  assert.equal((await submit('MEANWHILE-1')).status, 201);
  assert.equal(await status(), 30, 'the delivery was still under way');
  mayAnswer.resolve(null);
  await stopped;
  await assert.rejects(fetch(`${service.api}/ping`));
  const reopened = await openFoundation(readConfig(service.database));
  const rows = await reopened.engine.all<{ readonly status: number }>(
    'select status from outbound order by created_at',
    [],
  );
  await reopened.engine.close();
  assert.deepEqual(rows.map((row) => row.status).slice(-2), [40, 10], 'one was finished, one is for the next process');
});

/** A stop does not wait for the authority, and work that is due begins at once. */
const IMPATIENT: Timers = {
  ...steadyTimers,
  after: (ms, run, options) => steadyTimers.after(ms === ANSWERS_LIMIT_MS ? 0 : ms, run, options),
  every: (ms, run, options) => steadyTimers.every(Math.min(ms, 50), run, options),
};

test('a stop gives back what the authority does not answer in time: the next process looks it up at once', async (t) => {
  const tenant = readEdb('4030026000018');
  let isSilent = false;
  const service = await startTestService({
    timers: IMPATIENT,
    variables: { ...WITH_BACKGROUND, DELIVERY_HOLD_SECONDS: '0' },
    async between(urls) {
      const gateway = await startGateway(urls.receiver, () => new Promise((go) => (isSilent ? null : go(null))));
      t.after(gateway.close);
      return { ...urls, receiver: gateway.root };
    },
  });
  const { storage, clock } = service.foundation;
  async function submit(number: string) {
    const headers = as('demo-alfa', { 'X-Idempotency-Key': number });
    const body = INVOICE.replaceAll('2026-7001', number);
    const answer = await fetch(`${service.api}/outbound`, { method: 'POST', headers, body });
    return docUidOf(((await answer.json()) as { readonly docUid: string }).docUid);
  }
  const reach = async (docUid: ReturnType<typeof docUidOf>, status: number) =>
    until(`status ${status}`, async () => (await storage.outbound.find(tenant, docUid))?.status === status);
  t.after(service.stop);
  const voided = await submit('VOIDED-1');
  await reach(voided, 40);
  const isDelivered = async () =>
    (await service.foundation.engine.get('select 1 from outbound where status < 40', [])) === null;
  await until('those of the demo are delivered, too', isDelivered);
  isSilent = true;
  await service.operator.voids.request(tenant, voided, 'S-1', null);
  const sent = await submit('SENT-1');
  await reach(sent, 30);
  await until('the void is sent', async () => (await storage.voids.find(tenant, voided))?.state === 'sent');
  const { deliveries, voids } = service.underWay();
  assert.deepEqual([deliveries, voids], [1, 1]);
  await service.stop();
  const now = clock.now();
  const reopened = await openFoundation(readConfig(service.database));
  const rows = await reopened.engine.all<{ readonly lease: string | null; readonly is_due: unknown }>(
    `select lease, due_at <= $1 as is_due from outbound where doc_uid = $2 and status = 30
     union all select lease, due_at <= $1 from outbound_void where doc_uid = $3 and state = 'sent'`,
    [now, sent, voided],
  );
  await reopened.engine.close();
  const givenBack = { lease: null, isDue: true };
  assert.deepEqual(
    rows.map(({ lease, is_due }) => ({ lease, isDue: Boolean(is_due) })),
    [givenBack, givenBack],
  );
});

test('a stop ends a signing command that hangs, and gives back the document that waits for it', async () => {
  const tenant = readEdb('4030026000018');
  const folder = temporaryFolder();
  const [command, started] = [join(folder, 'sign'), join(folder, 'started')];
  writeFileSync(command, `#!/bin/bash\necho $$ > ${started}.new; mv ${started}.new ${started}; sleep 1000\n`);
  chmodSync(command, 0o700);
  const service = await startTestService({
    timers: IMPATIENT,
    variables: {
      ...{ ...WITH_BACKGROUND, DELIVERY_HOLD_SECONDS: '0', COLLECT_SECONDS: '86400', FOLLOW_SECONDS: '86400' },
      ...{ PATH: process.env['PATH'] ?? '', SIGNING_COMMAND_TOKEN: command, SIGNING_TIMEOUT_SECONDS: '40' },
    },
  });
  const { storage, config, random, clock } = service.foundation;
  const sealed = createKeySealing(config.credentialsKeys ?? [], random).sealCommand(tenant, 'TOKEN');
  const credential = (await storage.credentials.find(tenant)) ?? assert.fail();
  const changedAt = clock.now();
  await storage.transaction((tx) => tx.credentials.save({ ...credential, ...sealed, changedAt }));
  const headers = as('demo-alfa', { 'X-Idempotency-Key': 'signed' });
  await fetch(`${service.api}/outbound`, { method: 'POST', headers, body: INVOICE });
  const leased = 'select 1 as one from outbound where status = 30 and lease is not null';
  await until('the document is to be signed', () => service.foundation.engine.get(leased, []));
  await until('the command hangs', () => existsSync(started));
  await service.stop();
  const reopened = await openFoundation(readConfig(service.database));
  const kept = await reopened.engine.get(leased, []);
  await reopened.engine.close();
  assert.equal(kept, null);
  const pid = Number(readFileSync(started, 'utf8'));
  await until('the command has ended', () => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
});

test('a service knows what its stop waits for, and an idle one waits for nothing', async () => {
  const service = await startTestService({
    variables: { ...WITH_BACKGROUND, COLLECT_SECONDS: '86400', FOLLOW_SECONDS: '86400' },
  });
  const connection = await openConnection(service.url);
  const head = { ...as('demo-alfa'), 'X-Idempotency-Key': 'k', 'Content-Length': '9' };
  await connection.send(requestHead('POST', '/api/integration/v1/outbound', head));
  await until('the request', () => service.underWay().requests === 1);
  connection.abort();
  await until('no request', () => service.underWay().requests === 0);
  const { engine } = service.foundation;
  await until('no task', async () => (await engine.all<Task>(TASKS, [])).every(({ lease }) => lease === null));
  const startedMs = steadyElapsedMs();
  await service.stop();
  // Less than half-sent requests are given; measured on an idle machine it takes some 20 ms.
  const tookMs = steadyElapsedMs() - startedMs;
  assert.ok(tookMs < 2_500, `${tookMs} ms`);
});

test('a stop waits for the call of a client that has left, and puts on record what became of it', async (t) => {
  const service = await startTestService();
  const { outbound } = service.foundation.storage;
  const [asked, mayFind] = [Promise.withResolvers<void>(), Promise.withResolvers<null>()];
  t.mock.method(outbound, 'find', () => {
    asked.resolve();
    return mayFind.promise;
  });
  const connection = await openConnection(service.url);
  const path = '/api/integration/v1/outbound/01890000-0000-7000-8000-000000000000';
  await connection.send(requestHead('GET', path, as('demo-alfa')));
  await asked.promise;
  connection.abort();
  await until('no request', () => service.underWay().requests === 0);
  const stopped = service.stop();
  await until('nothing listens', () =>
    fetch(service.url).then(
      () => false,
      () => true,
    ),
  );
  mayFind.resolve(null);
  await stopped;
  const reopened = await openFoundation(readConfig(service.database));
  const entries = await reopened.engine.all<{ readonly http_status: number; readonly code: string | null }>(
    'select http_status, code from audit where path = $1',
    [path],
  );
  await reopened.engine.close();
  assert.deepEqual(
    entries.map(({ http_status, code }) => [http_status, code]),
    [[404, 'ERR-3001']],
  );
});

test('a stop does not wait for the rest of a form of the console', async () => {
  const service = await startTestService();
  const { host, origin } = new URL(service.opsUrl);
  const connection = await openConnection(service.opsUrl);
  const headers = {
    Host: host,
    Origin: origin,
    'Content-Type': 'application/x-www-form-urlencoded',
    Expect: '100-continue',
  };
  await connection.send(requestHead('POST', '/console/sign-in', { ...headers, 'Content-Length': '100' }));
  assert.equal((await connection.response())?.status, 100);
  const startedMs = steadyElapsedMs();
  await service.stop();
  // The rest is waited for until its time is over, which is minutes.
  assert.ok(steadyElapsedMs() - startedMs < 20_000);
  assert.equal(await connection.response().catch(() => null), null);
});
