import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { clientFor, json } from '../contract/support/client.ts';
import { temporaryFolder, until } from '../support/process.ts';
import { as, startTestService, type TestService } from '../support/service.ts';

const PROGRAMS = ['nginx', '/usr/sbin/nginx'];
const nginx = PROGRAMS.find((program) => spawnSync(program, ['-v']).error === undefined);

type Answer = { readonly status: number; readonly cache: string; readonly text: string };

test('a shared cache in front', { skip: nginx === undefined ? 'nginx is not installed' : false }, async (t) => {
  const service = await startTestService();
  t.after(() => service.stop());
  const get = await startCache(t, service.url);

  await t.test('stores what may be stored, so that it would be seen here', async () => {
    assert.equal((await get('/careless', {})).cache, 'MISS');
    assert.deepEqual(await get('/careless', {}), { status: 200, cache: 'HIT', text: 'for everybody' });
  });

  for (const path of await pathsOf(service)) {
    const name = path.replaceAll(/[0-9a-f-]{36}/gu, '…');
    await t.test(`never serves one caller's answer to another: ${name}`, async () => {
      const url = `${new URL(service.api).pathname}${path}`;
      const callers = [as('demo-alfa'), as('demo-beta'), as('demo-gama'), as('nobody'), {}];
      for (const headers of [...callers, ...callers]) {
        const direct = await fetch(`${service.url}${url}`, { headers });
        const { status, cache } = await get(url, headers);
        assert.equal(status, direct.status);
        assert.notEqual(cache, 'HIT');
      }
    });
  }
});

type Get = (path: string, headers: Readonly<Record<string, string>>) => Promise<Answer>;

/** Every kind of answer: lists, details, files, problems, the description. */
async function pathsOf(service: TestService): Promise<readonly string[]> {
  const alfa = clientFor(service, 'demo-alfa');
  const outbound = `/outbound/${await alfa.submitted()}`;
  const { items } = json(await alfa.get('/inbound')) as { readonly items: readonly { readonly docUid: string }[] };
  const inbound = `/inbound/${items[0]?.docUid}`;
  return [
    ...['/ping', '/outbound', '/inbound', '/codelists/units', '/outbound?status=10', '/nothing', '/openapi.json'],
    ...[outbound, `${outbound}/history`, `${outbound}/file`, `${outbound}/file?format=ujp`, inbound, `${inbound}/file`],
  ];
}

async function startCache(t: TestContext, serviceUrl: string): Promise<Get> {
  const careless = createServer((_request, response) => response.end('for everybody')).listen(0, '127.0.0.1');
  t.after(() => careless.close());
  await once(careless, 'listening');
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'nginx.conf'),
    configuration(folder, serviceUrl, (careless.address() as AddressInfo).port),
  );
  const cache = spawn(nginx ?? '', ['-p', folder, '-e', 'errors.log', '-c', 'nginx.conf'], { stdio: 'ignore' });
  t.after(() => cache.kill('SIGTERM'));
  const socketPath = join(folder, 'cache.sock');
  await until('the cache', () => {
    assert.equal(cache.exitCode, null, 'nginx ended');
    return existsSync(socketPath);
  });
  return async (path, headers) => {
    const call = request({ socketPath, path, headers: { host: 'cache.test', ...headers } }).end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const text = (await response.setEncoding('utf8').toArray()).join('');
    return { status: response.statusCode ?? 0, cache: String(response.headers['x-cache']), text };
  };
}

/** Eager: whatever the answers themselves do not forbid is kept for ten minutes, by the address alone. */
function configuration(folder: string, serviceUrl: string, carelessPort: number): string {
  const inFolder = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  return `user root; daemon off; worker_processes 1; pid nginx.pid;
events { worker_connections 64; }
http {
  access_log off;
  ${inFolder.join('\n  ')}
  proxy_cache_path stored keys_zone=all:1m;
  server {
    listen unix:${folder}/cache.sock;
    proxy_cache all;
    proxy_cache_key $request_method$request_uri;
    proxy_cache_valid any 10m;
    add_header X-Cache $upstream_cache_status always;
    location = /careless { proxy_pass http://127.0.0.1:${carelessPort}; }
    location / { proxy_pass ${serviceUrl}; }
  }
}
`;
}
