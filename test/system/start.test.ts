import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { inTime } from '../support/in-time.ts';
import {
  freePort,
  type RunningProcess,
  startDostava,
  temporaryFolder,
  until,
  type Variables,
} from '../support/process.ts';

/** The least of the times after which a start gives its database up. */
const WAITS_FOR_DATABASE_MS = 5_000;
const STARTING = /^Not ready: starting; /u;

type Starting = RunningProcess & { readonly opsUrl: string };

async function start(t: TestContext, variables: Variables): Promise<Starting> {
  const OPS_PORT = String(await freePort());
  const running = startDostava(t, ['serve'], { PORT: '0', SIMULATOR_PORT: '0', ...variables, OPS_PORT });
  const opsUrl = `http://127.0.0.1:${OPS_PORT}`;
  await until('live', async () => (await ask(`${opsUrl}/health/live`).catch(() => null))?.status === 200);
  return { ...running, opsUrl };
}

/** On a connection of its own: a process that loads on a busy machine closes an idle one before it hears of the next request there. */
function ask(url: string): Promise<Response> {
  return fetch(url, { headers: { connection: 'close' } });
}

async function detail(url: string): Promise<string> {
  const response = await ask(url);
  assert.equal(response.status, 503);
  return ((await response.json()) as { readonly detail: string }).detail;
}

async function endsInOrder(service: Starting): Promise<void> {
  service.signal('SIGTERM');
  const { exitCode, stdout, stderr } = await service.finished();
  assert.deepEqual({ exitCode, stdout, stderr }, { exitCode: 0, stdout: '', stderr: '' });
}

test('a process that waits for its database is live, not ready, says why, and ends when it is told to', async (t) => {
  const taken: Socket[] = [];
  const silent = createServer((socket) => taken.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => {
    for (const socket of taken) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as { readonly port: number };
  await inTime(WAITS_FOR_DATABASE_MS, async () => {
    const service = await start(t, {
      DATA_DIR: temporaryFolder(),
      DATABASE_URL: `postgres://someone@127.0.0.1:${port}/dostava`,
    });
    await until('the connection', () => taken.length > 0);
    for (const path of ['/health/ready', '/metrics']) {
      assert.match(await detail(service.opsUrl + path), STARTING);
      assert.match(await detail(service.opsUrl + path), /the database is being opened/u);
    }
    await endsInOrder(service);
  });
});

test('a signal ends a start that waits to change the tables', async (t) => {
  const DATA_DIR = temporaryFolder();
  const writer = new DatabaseSync(join(DATA_DIR, 'dostava.sqlite'));
  t.after(() => writer.close());
  writer.exec('pragma journal_mode = wal; begin immediate');
  await inTime(WAITS_FOR_DATABASE_MS, async () => {
    const service = await start(t, { DATA_DIR });
    assert.match(await detail(`${service.opsUrl}/health/ready`), STARTING);
    await endsInOrder(service);
  });
  writer.exec('rollback');
  assert.equal(writer.prepare("select 1 from sqlite_schema where name = 'outbound'").get(), undefined);
});

test('a signal ends a start while the service is being loaded, and the next start finds everything in order', async (t) => {
  const DATA_DIR = temporaryFolder();
  await until('a start that was being loaded when it was told to end', async () => {
    const service = await start(t, { DATA_DIR });
    await until('the loading', async () => {
      const answer = await ask(`${service.opsUrl}/health/ready`);
      return answer.status === 200 || /being loaded/u.test(await answer.text());
    });
    service.signal('SIGTERM');
    const { exitCode, stdout, stderr } = await service.finished();
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
    // Where this process stood still, it was loaded by then and has said so.
    return stdout === '';
  });
  const again = await start(t, { DATA_DIR, OPS_HOST: '0.0.0.0', DEMO_PUBLIC: 'yes' });
  await until('ready', async () => (await ask(`${again.opsUrl}/health/ready`)).status === 200);
  await t.test('with OPS_HOST beyond loopback, probes elsewhere call the port by any name', async () => {
    const { port } = new URL(again.opsUrl);
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      const asked = request({ host: '127.0.0.1', port, path, headers: { host: `dostava.internal:${port}` } }).end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      response.resume();
      assert.equal(response.statusCode, 200, path);
    }
  });
  again.signal('SIGTERM');
  assert.equal((await again.finished()).exitCode, 0);
});
