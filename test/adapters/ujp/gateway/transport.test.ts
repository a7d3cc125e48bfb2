import assert from 'node:assert/strict';
import dns, { type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { exchangeOverHttp } from '../../../../src/adapters/ujp/gateway/authority-http.ts';
import { createCertificate } from '../../../support/certificate.ts';
import { cannedAuthority } from '../answers/canned-authority.ts';
import { ALFA_TENANT, callErrorOf, clientAt, prepared } from '../services/client.ts';

const TIMESTAMP = '2026-11-15T10:00:00';
const LONG_TIMEOUTS = { queryMs: 30_000, sendMs: 30_000 };
const SHORT_TIMEOUTS = { queryMs: 400, sendMs: 400 };

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

/** A raw TCP server, for answers that no HTTP server would give. */
const bareServer = (t: TestContext, greet: (socket: Socket) => void) =>
  listening(
    t,
    createServer((socket) => {
      socket.on('error', () => socket.destroy());
      greet(socket);
    }),
  );

const sendTo = (url: string, timeouts = LONG_TIMEOUTS) =>
  callErrorOf(clientAt(url, { timeouts }).client.send(ALFA_TENANT, prepared(), TIMESTAMP));

test('refused connection, unknown host, untrusted certificate: unreachable and certainly not sent', async (t) => {
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
    const error = await sendTo(url);
    assert.deepEqual([error.kind, error.isUncertain, error.answer], ['unreachable', false, null], url);
    assert.match(error.message, /could not be reached: /u);
    assert.match(error.message, reason);
  }
  assert.deepEqual(bodies, []);
});

test('a connection that is not established in time: unreachable and certainly not sent', async (t) => {
  // Accepts the connection and never answers the TLS handshake.
  const port = await bareServer(t, () => undefined);
  const error = await sendTo(`https://127.0.0.1:${port}`, SHORT_TIMEOUTS);
  assert.deepEqual([error.kind, error.isUncertain], ['unreachable', false]);
  assert.match(error.message, /no connection within 400 ms/u);
});

/** Stands still until its few places are taken, so that the next connection is made by its second try, after a second. */
const SLOW_TO_CONNECT = `
  const { parentPort } = require('node:worker_threads');
  const answer = 'HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\n{}';
  const server = require('node:net').createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end(answer)));
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
  });`;

/** Every name, from now on. */
function haveTwoAddresses(t: TestContext): void {
  const addresses: readonly LookupAddress[] = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  type Found = (error: null, addresses: readonly LookupAddress[]) => void;
  t.mock.method(dns, 'lookup', ((_name: string, _options: unknown, found: Found) => found(null, addresses)) as never);
}

test('of a name with several addresses it is told what each of them said', async (t) => {
  const closed = createServer();
  const free = await listening(t, closed);
  closed.close();
  haveTwoAddresses(t);
  const { kind, message } = await sendTo(`http://authority.example:${free}`);
  assert.equal(kind, 'unreachable');
  assert.match(message, /reached: connect ECONNREFUSED 127\.0\.0\.1:\d+, connect ECONNREFUSED 127\.0\.0\.2:\d+$/u);
});

test('an address that takes its time is waited for, although the name has a second one, which is of no use', async (t) => {
  const worker = new Worker(SLOW_TO_CONNECT, { eval: true });
  t.after(() => worker.terminate());
  const [port] = (await once(worker, 'message')) as [number];
  const places = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  t.after(() => places.map((socket) => socket.destroy()));
  await systemTimers.pause(100);
  // As a machine without a way to IPv6 has the second one.
  haveTwoAddresses(t);
  const request = { method: 'GET', headers: {}, body: null, timeoutMs: 10_000, maxAnswerBytes: 100 } as const;
  const { status } = await exchangeOverHttp(systemTimers, {
    ...request,
    url: new URL(`http://authority.example:${port}/`),
  });
  assert.equal(status, 200);
});

test('a connection closed at any moment after it was established: unreachable, uncertain', async (t) => {
  const moments: readonly ((socket: Socket) => void)[] = [
    (socket) => socket.once('data', () => socket.resetAndDestroy()),
    (socket) => socket.once('data', () => socket.end()),
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"euid":')),
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"eu')),
  ];
  for (const moment of moments) {
    const error = await sendTo(`http://127.0.0.1:${await bareServer(t, moment)}`);
    assert.deepEqual([error.kind, error.isUncertain], ['unreachable', true]);
    assert.match(error.message, /closed the connection early/u);
  }
});

test('no answer, or one that stops in the middle: timeout, uncertain', async (t) => {
  const silences: readonly ((socket: Socket) => void)[] = [
    () => undefined,
    (socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n')),
    (socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"euid":')),
    (socket) => socket.once('data', () => socket.write('HTTP/1.1 100 Continue\r\n\r\n')),
  ];
  for (const silence of silences) {
    const error = await sendTo(`http://127.0.0.1:${await bareServer(t, silence)}`, SHORT_TIMEOUTS);
    assert.deepEqual([error.kind, error.isUncertain], ['timeout', true]);
  }
});

test('an answer that is not HTTP: error, uncertain', async (t) => {
  const answers = ['SSH-2.0-OpenSSH\r\n\r\n', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, '\0\u0001\u0002'];
  for (const answer of answers) {
    const port = await bareServer(t, (socket) => void socket.once('data', () => socket.write(answer)));
    const error = await sendTo(`http://127.0.0.1:${port}`);
    assert.deepEqual([error.kind, error.isUncertain], ['error', true], error.message);
    assert.match(error.message, /valid HTTP/u);
  }
});

test('an answer that switches to another protocol ends the call: uncertain', async (t) => {
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n';
  const answers: readonly (readonly [string, string])[] = [
    [upgrade, 'unreachable'],
    ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 'error'],
  ];
  for (const [answer, kind] of answers) {
    const port = await bareServer(t, (socket) => void socket.once('data', () => socket.write(answer)));
    const error = await sendTo(`http://127.0.0.1:${port}`);
    assert.deepEqual([error.kind, error.isUncertain], [kind, true], error.message);
    assert.match(error.message, /closed the connection early: no answer|answered HTTP 101/u);
  }
});

test('connections are reused, and a send does not follow redirects', async (t) => {
  const ports = new Set<unknown>();
  const visited: unknown[] = [];
  const url = await cannedAuthority(t, (request, response) => {
    ports.add(request.socket.remotePort);
    visited.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end('{}');
  });
  for (let times = 0; times < 3; times += 1) {
    const error = await sendTo(url);
    assert.deepEqual([error.kind, error.isUncertain], ['request-refused', false]);
  }
  assert.equal(ports.size, 1);
  assert.deepEqual(visited, new Array(3).fill('/api/v1/sales-invoices/send'));
});

test('a signed request has the documented headers and envelope, and nothing else', async (t) => {
  const seen: { headers: Record<string, unknown>; body: string }[] = [];
  const url = await cannedAuthority(t, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ headers: request.headers, body });
    response.end(request.url?.endsWith('/server-time') ? '{"timestamp":"2026-11-15T10:00:00"}' : '{"invoices":[]}');
  });
  const { client } = clientAt(url);
  await client.arrivals(ALFA_TENANT, '2026-11-01', '2026-11-02');
  const { headers, body } = seen.at(-1) ?? { headers: {}, body: '' };
  const { accept, connection, host, 'content-length': length, ...rest } = headers;
  assert.deepEqual(rest, {
    'content-type': 'application/json',
    'accept-encoding': 'identity',
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

test('what packs answers for whoever does not refuse it, as HTTP allows, does not pack those to us', async (t) => {
  const url = await cannedAuthority(t, (request, response) => {
    const isRefused = request.headers['accept-encoding'] === 'identity';
    const answer = Buffer.from(
      request.url?.endsWith('/server-time') ? '{"timestamp":"2026-11-15T10:00:00"}' : '{"invoices":[]}',
    );
    response.writeHead(200, isRefused ? {} : { 'content-encoding': 'gzip' });
    response.end(isRefused ? answer : gzipSync(answer));
  });
  const { listed } = await clientAt(url).client.arrivals(ALFA_TENANT, '2026-11-01', '2026-11-02');
  assert.deepEqual(listed, []);
});

test('a body arrives complete in UTF-8, in any script', async (t) => {
  const echo = createHttpServer((request, response) => request.pipe(response));
  const url = new URL(`http://127.0.0.1:${await listening(t, echo)}/`);
  const order = { method: 'POST', url, headers: {}, timeoutMs: 600_000, maxAnswerBytes: 1_000 } as const;
  for (const body of [
    '{"plain":1}',
    '{"name":"АЛФА ДОО"}',
    '{"price":"10 €"}',
    '{"name":"Müller"}',
    '{"sign":"💶"}',
    '',
  ]) {
    const { bytes } = await exchangeOverHttp(systemTimers, { ...order, body });
    assert.equal(new TextDecoder().decode(bytes), body);
  }
});
