import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { exchangeOverHttp } from '../../../../src/adapters/ujp/gateway/authority-http.ts';
import { createCertificate } from '../../../support/certificate.ts';
import { cannedAuthority } from '../answers/canned-authority.ts';
import { ALFA_TENANT, clientAt, faultOf, prepared } from '../services/client.ts';

const TIMESTAMP = '2026-11-15T10:00:00';
const PATIENCE = { queryMs: 30_000, sendMs: 30_000 };
const IMPATIENCE = { queryMs: 400, sendMs: 400 };

async function listening(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A server that speaks bytes, not HTTP. */
const bareServer = (t: TestContext, greet: (socket: Socket) => void) =>
  listening(
    t,
    createServer((socket) => {
      socket.on('error', () => socket.destroy());
      greet(socket);
    }),
  );

const sendTo = (url: string, timeouts = PATIENCE) =>
  faultOf(clientAt(url, { timeouts }).client.send(ALFA_TENANT, prepared(), TIMESTAMP));

test('nobody listening, no such host, no trusted certificate: unreachable and certainly not sent', async (t) => {
  const closed = createServer();
  const free = await listening(t, closed);
  closed.close();
  const { certificatePem: cert, privateKeyPem: key } = createCertificate();
  const bodies: string[] = [];
  const encrypted = createHttpsServer({ cert, key }, (request) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
  });
  const untrusted = await listening(t, encrypted);
  const expected: readonly (readonly [string, RegExp])[] = [
    [`http://127.0.0.1:${free}`, /ECONNREFUSED/u],
    ['http://authority.invalid', /ENOTFOUND|EAI_AGAIN/u],
    [`https://127.0.0.1:${untrusted}`, /self-signed certificate/u],
  ];
  for (const [url, reason] of expected) {
    const fault = await sendTo(url);
    assert.deepEqual([fault.kind, fault.isUncertain, fault.answer], ['unreachable', false, null], url);
    assert.match(fault.message, /could not be reached: /u);
    assert.match(fault.message, reason);
  }
  assert.deepEqual(bodies, []);
});

test('a connection that does not come about in time: unreachable and certainly not sent', async (t) => {
  // Accepts the connection and never shakes hands.
  const port = await bareServer(t, () => undefined);
  const fault = await sendTo(`https://127.0.0.1:${port}`, IMPATIENCE);
  assert.deepEqual([fault.kind, fault.isUncertain], ['unreachable', false]);
  assert.match(fault.message, /no connection within 400 ms/u);
});

test('a connection cut at any moment after it came about: unreachable, uncertain', async (t) => {
  const moments: readonly ((socket: Socket) => void)[] = [
    (socket) => socket.once('data', () => socket.resetAndDestroy()),
    (socket) => socket.once('data', () => socket.end()),
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"euid":')),
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"eu')),
  ];
  for (const moment of moments) {
    const fault = await sendTo(`http://127.0.0.1:${await bareServer(t, moment)}`);
    assert.deepEqual([fault.kind, fault.isUncertain], ['unreachable', true]);
    assert.match(fault.message, /broke the connection off/u);
  }
});

test('silence after the request, or within the answer: timeout, uncertain', async (t) => {
  const silences: readonly ((socket: Socket) => void)[] = [
    () => undefined,
    (socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n')),
    (socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"euid":')),
    (socket) => socket.once('data', () => socket.write('HTTP/1.1 100 Continue\r\n\r\n')),
  ];
  for (const silence of silences) {
    const fault = await sendTo(`http://127.0.0.1:${await bareServer(t, silence)}`, IMPATIENCE);
    assert.deepEqual([fault.kind, fault.isUncertain], ['timeout', true]);
  }
});

test('what is no HTTP: error, uncertain', async (t) => {
  const answers = ['SSH-2.0-OpenSSH\r\n\r\n', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, '\0\u0001\u0002'];
  for (const answer of answers) {
    const port = await bareServer(t, (socket) => void socket.once('data', () => socket.write(answer)));
    const fault = await sendTo(`http://127.0.0.1:${port}`);
    assert.deepEqual([fault.kind, fault.isUncertain], ['error', true], fault.message);
    assert.match(fault.message, /no HTTP/u);
  }
});

test('connections are kept for the next call, and no redirect is followed by a send', async (t) => {
  const ports = new Set<unknown>();
  const visited: unknown[] = [];
  const url = await cannedAuthority(t, (request, response) => {
    ports.add(request.socket.remotePort);
    visited.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end('{}');
  });
  for (let times = 0; times < 3; times += 1) {
    const fault = await sendTo(url);
    assert.deepEqual([fault.kind, fault.isUncertain], ['error', false]);
  }
  assert.equal(ports.size, 1);
  assert.deepEqual(visited, new Array(3).fill('/api/v1/sales-invoices/send'));
});

test('what the authority reads is what it asks for: headers, envelope, nothing else', async (t) => {
  const seen: { headers: Record<string, unknown>; body: string }[] = [];
  const url = await cannedAuthority(t, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ headers: request.headers, body });
    response.end(request.url?.endsWith('/server-time') ? '{"timestamp":"2026-11-15T10:00:00"}' : '{"euids":[]}');
  });
  const { client } = clientAt(url);
  await client.arrivals(ALFA_TENANT, '2026-11-01', '2026-11-02');
  const { headers, body } = seen.at(-1) ?? { headers: {}, body: '' };
  const { accept, connection, host, 'content-length': length, ...rest } = headers;
  assert.deepEqual(rest, {
    'content-type': 'application/json',
    'x-eujp-id': 'demo-alfa',
    'x-edb': '4030026000018',
    'x-serial-number': 'A1B2C',
  });
  assert.deepEqual([`${accept}`, connection, `http://${host}`], ['application/json, */*', 'keep-alive', url]);
  assert.equal(Number(length), Buffer.byteLength(body));
  const { requestTimestamp, jws, ...others } = JSON.parse(body);
  assert.deepEqual([requestTimestamp, others], ['2026-11-15T10:00:00', {}]);
  assert.equal(
    Buffer.from(jws.split('.')[1], 'base64url').toString(),
    '{"requestTimestamp":"2026-11-15T10:00:00","dateFrom":"2026-11-01","dateTo":"2026-11-02"}',
  );
});

test('a body arrives whole in its UTF-8, whatever script it is in', async (t) => {
  const echo = createHttpServer((request, response) => request.pipe(response));
  const url = new URL(`http://127.0.0.1:${await listening(t, echo)}/`);
  const order = { method: 'POST', url, headers: {}, timeoutMs: 5_000, maxAnswerBytes: 1_000 } as const;
  for (const body of [
    '{"plain":1}',
    '{"name":"АЛФА ДОО"}',
    '{"price":"10 €"}',
    '{"name":"Müller"}',
    '{"sign":"💶"}',
    '',
  ]) {
    const { bytes } = await exchangeOverHttp({ ...order, body });
    assert.equal(new TextDecoder().decode(bytes), body);
  }
});
