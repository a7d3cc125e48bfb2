import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import { createOpsServer } from '../../src/http/ops-server.ts';
import { openConnection } from '../support/http-client.ts';

test('readiness says why the database cannot be used, in its own words', async () => {
  const server = createOpsServer({
    isLoopback: () => true,
    isLoopbackOnly: true,
    answers: () => ({
      async notReadyBecause() {
        const cause = new Error('cannot execute INSERT in a read-only transaction');
        throw new ServiceUnavailable('The database cannot serve at this moment.', { cause });
      },
      metrics: null,
      console: () => false,
    }),
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/health/ready`);
  const { detail } = (await answer.json()) as { readonly detail: string };
  server.close();
  assert.equal(answer.status, 503);
  assert.equal(
    detail,
    'Not ready: The database cannot serve at this moment. cannot execute INSERT in a read-only transaction',
  );
});

test('a health check in HTTP/1.0, which needs no Host, is answered on loopback; a foreign name is not', async () => {
  const server = createOpsServer({
    isLoopback: (name) => name === '127.0.0.1',
    isLoopbackOnly: true,
    answers: () => ({ notReadyBecause: async () => null, metrics: null, console: () => false }),
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const statusOf = async (headers: string) => {
    const connection = await openConnection(url);
    await connection.send(`HEAD /health/ready HTTP/1.0\r\n${headers}\r\n`);
    const answer = await connection.response({ toHead: true });
    connection.abort();
    return answer?.status;
  };
  assert.deepEqual(
    [await statusOf(''), await statusOf('Host: 127.0.0.1\r\n'), await statusOf('Host: rebound.example\r\n')],
    [200, 200, 421],
  );
  server.close();
});

test('health and metrics are read by GET, HEAD and OPTIONS; another method is refused with those', async (t) => {
  const metrics = async () => ({ contentType: 'text/plain', text: 'dostava_up 1' });
  const server = createOpsServer({
    isLoopback: () => true,
    isLoopbackOnly: true,
    answers: () => ({ notReadyBecause: async () => null, metrics, console: () => false }),
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const path of ['/health/live', '/health/ready?from=balancer', '/metrics']) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      assert.equal((await fetch(`${url}${path}`, { method })).status, 200, `${method} ${path}`);
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await fetch(`${url}${path}`, { method, body: 'text' });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'], `${method} ${path}`);
      assert.match(await answer.text(), /GET, HEAD, OPTIONS/u);
    }
  }
  assert.equal((await fetch(`${url}/elsewhere`, { method: 'POST' })).status, 404);
});
