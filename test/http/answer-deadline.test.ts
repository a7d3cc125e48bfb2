import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { answerTimeMs, limitAnswerTime } from '../../src/http/connections/answer-deadline.ts';
import { until } from '../support/process.ts';

const ANSWER = Buffer.alloc(32 * 1_048_576);
const LIMITS = { graceMs: 1_000, leastBytesPerSecond: ANSWER.length };

test('the time for an answer grows with its size', () => {
  const limits = { graceMs: 60_000, leastBytesPerSecond: 65_536 };
  assert.equal(answerTimeMs(0, limits), 60_000);
  assert.equal(answerTimeMs(1, limits), 61_000);
  assert.equal(answerTimeMs(10 * 1_048_576, limits), 220_000);
});

test('a client that goes on taking a little of a large answer is cut off when its time is over', async (t) => {
  let isClosed = false;
  let taken = 0;
  const server = createServer(async (_request, response) => {
    response.on('close', () => {
      isClosed = true;
    });
    response.write(ANSWER);
    // However slow the machine is, a little was taken before the time begins.
    await until('a first piece taken', () => taken > 0);
    limitAnswerTime(systemTimers, response, ANSWER.length, LIMITS);
    response.end(ANSWER);
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => socket.destroy());
  let error: NodeJS.ErrnoException | null = null;
  socket.on('error', (cause) => {
    error = cause;
  });
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await until('the connection destroyed', () => {
    taken += (socket.read(1_024) as Buffer | null)?.length ?? 0;
    return isClosed;
  });
  assert.ok(taken > 0 && taken < ANSWER.length, `${taken} bytes`);
  // What the system had taken is not sent any more.
  await until('a reset', () => {
    socket.read();
    return error?.code === 'ECONNRESET';
  });
});

test('a client that takes its answer keeps its connection', async (t) => {
  const server = createServer((_request, response) => {
    limitAnswerTime(systemTimers, response, 2, { graceMs: 50, leastBytesPerSecond: 1_000 });
    response.end('ok');
  });
  server.keepAliveTimeout = 600_000;
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => socket.destroy());
  let answers = 0;
  socket.on('data', () => {
    answers += 1;
  });
  const since = performance.now();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await until('longer than an answer may take', () => answers === 1 && performance.now() - since > 2_000);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await until('the next answer', () => answers === 2);
});
