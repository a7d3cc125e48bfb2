import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { startTestService, WITH_BACKGROUND } from '../support/service.ts';

const CONNECTIONS = 20;
/** Far longer than the service waits for those who are on their way. */
const STARVED_MS = 1_000;
const PING = 'GET /api/integration/v1/ping HTTP/1.1\r\nHost: x\r\nX-Api-Key: demo-alfa\r\nX-Software-Id: t\r\n\r\n';

/** Opens connections and asks on them whenever it is told to; tells how many answers came and how many connections ended. */
const CLIENT = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, ping, count, sent } } = require('node:worker_threads');
  const connections = [];
  let [ended, answers] = [0, 0];
  function send(socket) {
    socket.write(ping, () => { Atomics.add(sent, 0, 1); Atomics.notify(sent, 0); });
  }
  function open(whenOpen) {
    const socket = connect(port, '127.0.0.1', () => { connections.push(socket); whenOpen(socket); });
    let received = '';
    socket.setEncoding('latin1').on('data', (text) => {
      const before = received.split('"keyValid":true').length;
      received += text;
      answers += received.split('"keyValid":true').length - before;
      parentPort.postMessage({ answers });
    });
    socket.on('error', () => {}).on('close', () => parentPort.postMessage({ ended: (ended += 1) }));
  }
  parentPort.on('message', (order) => {
    if (order === 'use') for (let index = 0; index < count; index += 1) open(send);
    if (order === 'ask') {
      for (const socket of [...connections]) send(socket);
      for (let index = 0; index < count; index += 1) open(send);
    }
  });
`;

type Told = { readonly answers?: number; readonly ended?: number };

test('what was sent before the stop is answered, also where the machine left no time to take it', async (t) => {
  const service = await startTestService({ timers: systemTimers, variables: WITH_BACKGROUND });
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { port: Number(new URL(service.url).port), ping: PING, count: CONNECTIONS, sent };
  const client = new Worker(CLIENT, { eval: true, workerData });
  t.after(() => client.terminate());
  const told = { answers: 0, ended: 0 };
  client.on('message', (news: Told) => Object.assign(told, news));
  const hears = async (name: keyof typeof told, count: number) => {
    while (told[name] < count) await once(client, 'message');
  };
  client.postMessage('use');
  await hears('answers', CONNECTIONS);

  // From here on this thread, the service's own, comes to nothing until the pause of the stop is over.
  client.postMessage('ask');
  for (let count = sent[0] ?? 0; count < 3 * CONNECTIONS; count = sent[0] ?? 0) Atomics.wait(sent, 0, count);
  const stopped = service.stop();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STARVED_MS);

  await hears('ended', 2 * CONNECTIONS);
  assert.equal(told.answers, 3 * CONNECTIONS);
  await stopped;
});
