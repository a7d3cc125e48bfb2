import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { httpProblem } from '../../src/http/answers/problem-response.ts';
import { closeAfterEarlyAnswer } from '../../src/http/connections/close-after-answer.ts';
import { createBodiesUnderWay } from '../../src/http/requests/bodies-under-way.ts';
import { createBodyBudget } from '../../src/http/requests/body-budget.ts';
import { createReadBody } from '../../src/http/requests/read-body.ts';
import { ALFA_EDB } from '../support/ubl-samples.ts';

const SENT = Buffer.alloc(2_097_152, 7);
const MOST = 2 * SENT.length;

test('the memory of each piece is free as soon as the body has its bytes', async (t) => {
  const read = createReadBody({
    budget: createBodyBudget(4 * MOST),
    bodiesUnderWay: createBodiesUnderWay(),
    timers: systemTimers,
    checkKeyAgain: async () => undefined,
  });
  const limit = {
    maxBytes: MOST,
    exceeded: () => httpProblem(413, 'This call takes no body, and the body that was sent is too large to be ignored.'),
  };
  const kept = await piecesKept(t, async (raw, response) => {
    const call = { raw, headers: raw.headers, context: { identity: { tenant: { edb: ALFA_EDB } } } };
    const body = await read(call as unknown as FastifyRequest, { raw: response } as FastifyReply, limit);
    assert.deepEqual(Buffer.from(body.bytes), SENT);
    response.end();
  });
  assert.deepEqual([...new Set(kept)], [0]);
});

test('the memory of each piece of a refused body is free as soon as it was dropped', async (t) => {
  const kept = await piecesKept(t, async (raw, response) => {
    closeAfterEarlyAnswer(raw, response, systemTimers);
    response.writeHead(503, { connection: 'close' }).end();
  });
  assert.deepEqual([...new Set(kept)], [0]);
});

/** Sends a body of many pieces; returns how much memory each of them still had once the server was done with it. */
async function piecesKept(
  t: TestContext,
  answer: (raw: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<readonly number[]> {
  const kept: number[] = [];
  const received = Promise.withResolvers<void>();
  const server = createServer((raw, response) => {
    answer(raw, response).catch(received.reject);
    raw.on('data', ({ buffer }: Buffer) => void kept.push(buffer.byteLength));
    raw.once('end', received.resolve);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const call = request({ host: '127.0.0.1', port, method: 'POST', agent: false });
  call.on('response', (response) => void response.resume()).end(SENT);
  await received.promise;
  return kept;
}
