import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createAnswerReader } from '../../bench/load/connection.ts';
import { closedLoop, openLoop } from '../../bench/load/loops.ts';
import type { Plan } from '../../bench/load/plan.ts';
import { fc } from '../support/seeds.ts';

/** By which timers are early. */
const TIMER_MS = 5;
const HEAD = 'HTTP/1.1 200 OK\r\nDate: now\r\n';

async function planFor(t: TestContext, listener: RequestListener): Promise<Plan> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, calls: [{ method: 'GET', path: '/', headers: {}, body: null, numberAt: null }], expected: [200] };
}

test('an answer is complete at its last byte and not before, in whatever pieces it comes', () => {
  const answers = [
    `${HEAD}Content-Length: 5\r\n\r\nhello`,
    `${HEAD}content-length: 0\r\n\r\n`,
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n`,
  ];
  const cuts = fc.uniqueArray(fc.nat(200), { maxLength: 8 });
  fc.assert(
    fc.property(fc.constantFrom(...answers), cuts, (text, places) => {
      const read = createAnswerReader();
      const ends = [...places.filter((place) => place > 0 && place < text.length), text.length].sort((a, b) => a - b);
      const found = ends.map((end, index) => read(Buffer.from(text.slice(ends[index - 1] ?? 0, end))));
      assert.equal(found.pop()?.status, 200);
      assert.ok(found.every((answer) => answer === null));
    }),
  );
});

test('latencies of offered requests count from when they were due, also of those that could not be sent', async (t) => {
  const [held, total, perSecond] = [400, 300, 1_000] as const;
  let until: number | null = null;
  // Stands still for a while: the hundred clients wait for it, and all other requests for them.
  const plan = await planFor(t, async (_request, response) => {
    until ??= performance.now() + held;
    await pause(Math.max(0, until - performance.now()));
    response.end('ok');
  });
  const { answered, p50Ms } = await openLoop(plan, { kind: 'open', perSecond, ms: total });
  assert.equal(answered, total);
  // Two thirds were sent only when a client was free, and took a moment; they were due long before.
  assert.ok(p50Ms > held - total / 2 - TIMER_MS, `${p50Ms}`);
});

test('answers that were not expected are counted apart, a broken connection among them', async (t) => {
  let count = 0;
  const plan = await planFor(t, (_request, response) => {
    count += 1;
    if (count === 2) response.destroy();
    else response.writeHead(count === 3 ? 503 : 200).end('ok');
  });
  const { answered, others } = await closedLoop(plan, { kind: 'closed', connections: 1, ms: 0, atLeast: 5, atMost: 5 });
  assert.deepEqual({ answered, others }, { answered: 3, others: { 0: 1, 503: 1 } });
});

test('each submission has a number and an idempotency key of its own, and the bytes around stay', async (t) => {
  const seen: string[] = [];
  const plan = await planFor(t, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(`${request.headers['x-idempotency-key']} ${body}`);
    response.end('ok');
  });
  const call = { method: 'POST', path: '/', headers: {}, body: Buffer.from('<000000000>'), numberAt: 1 } as const;
  await closedLoop({ ...plan, calls: [call] }, { kind: 'closed', connections: 3, ms: 0, atLeast: 9, atMost: 9 });
  assert.equal(new Set(seen).size, 9);
  for (const line of seen) assert.match(line, /^\d+-(\d{9}) <\1>$/u);
});

test('after an answer that closes its connection the next request goes over another', async (t) => {
  let connections = 0;
  const plan = await planFor(t, (request, response) => {
    request.socket.once('close', () => {
      connections += 1;
    });
    response.setHeader('Connection', 'close').end('ok');
  });
  const { answered, others } = await closedLoop(plan, {
    kind: 'closed',
    connections: 2,
    ms: 0,
    atLeast: 40,
    atMost: 40,
  });
  assert.deepEqual([answered, others], [40, {}]);
  assert.ok(connections > 30, `${connections}`);
});
