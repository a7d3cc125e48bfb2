import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { createCertificate } from '../../../support/certificate.ts';
import { startProgram } from '../../../support/process.ts';

/** Sends one request to a port where nobody listens, and tells what became of it. Node reads the variables of proxies when it starts. */
const CALL = `
  import { exchangeOverHttp } from ${JSON.stringify(import.meta.resolve('../../../../src/adapters/ujp/gateway/authority-http.ts'))};
  import { systemTimers } from ${JSON.stringify(import.meta.resolve('../../../../src/adapters/platform/timers.ts'))};
  const url = new URL('https://127.0.0.1:1/receive');
  const request = { method: 'POST', url, headers: {}, body: 'x', timeoutMs: 60_000, maxAnswerBytes: 100 };
  await exchangeOverHttp(systemTimers, request).catch(({ message, isUncertain }) => console.log(isUncertain, message));
`;

/** A proxy that tunnels nowhere: what comes through the tunnel is given to `onTunnel`. */
async function startProxy(t: TestContext, onTunnel: (socket: Socket) => void) {
  const proxy = createServer();
  const asked: (string | undefined)[] = [];
  proxy.on('connect', ({ url }, socket) => {
    asked.push(url);
    onTunnel(socket as Socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => proxy.close());
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked };
}

async function outcome(t: TestContext, variables: Readonly<Record<string, string>>): Promise<string> {
  const program = startProgram(t, process.execPath, ['--input-type=module', '--eval', CALL], variables);
  return (await program.finished()).stdout;
}

test('a proxy for outgoing requests is used where NODE_USE_ENV_PROXY is set, and only there', async (t) => {
  const { url, asked } = await startProxy(t, (socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  assert.match(await outcome(t, { HTTPS_PROXY: url }), /^false .* could not be reached: connect ECONNREFUSED/u);
  assert.deepEqual(asked, []);
  const refused = await outcome(t, { HTTPS_PROXY: url, NODE_USE_ENV_PROXY: '1' });
  assert.match(refused, /^false .* could not be reached: Failed to establish tunnel .* 403 Forbidden/u);
  assert.deepEqual(asked, ['127.0.0.1:1']);
});

test('an answer that is lost behind a proxy is one that may have been carried out', async (t) => {
  const { privateKeyPem: key, certificatePem: cert } = createCertificate();
  const { url } = await startProxy(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const inner = new TLSSocket(socket, { isServer: true, key, cert });
    inner.once('data', () => inner.destroy());
  });
  const variables = { HTTPS_PROXY: url, NODE_USE_ENV_PROXY: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  assert.match(await outcome(t, variables), /^true .* closed the connection early/u);
});
