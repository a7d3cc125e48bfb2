import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { Problem } from '../../src/application/errors/problem.ts';
import { createAnswerBudget } from '../../src/http/answers/answer-budget.ts';

const [ALFA, BETA] = [readEdb('4030026000018'), readEdb('4080026000023')];
const LARGE = 65_536;

const newResponse = () => new EventEmitter() as unknown as ServerResponse;

function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.status === 503 && error.retryAfterSeconds !== null;
}

test('a large answer takes memory until its connection has taken it or is gone', () => {
  const budget = createAnswerBudget(2 * LARGE);
  const response = newResponse();
  budget.hold(ALFA, response, LARGE);
  assert.throws(() => budget.hold(ALFA, newResponse(), LARGE), isUnavailable);
  response.emit('close');
  budget.hold(ALFA, newResponse(), LARGE);
});

test('what one tenant does not read leaves room for another', () => {
  const budget = createAnswerBudget(4 * LARGE);
  budget.hold(ALFA, newResponse(), LARGE);
  budget.hold(ALFA, newResponse(), LARGE);
  assert.throws(() => budget.hold(ALFA, newResponse(), LARGE), isUnavailable);
  budget.hold(BETA, newResponse(), LARGE);
});

test('small answers are never refused', () => {
  const budget = createAnswerBudget(2 * LARGE);
  for (let count = 0; count < 100; count += 1) budget.hold(ALFA, newResponse(), LARGE - 1);
  budget.hold(ALFA, newResponse(), LARGE);
  budget.hold(ALFA, newResponse(), LARGE - 1);
});

test('a file larger than the whole budget is sent when it is the only one', () => {
  const budget = createAnswerBudget(2 * LARGE);
  const response = newResponse();
  budget.hold(ALFA, response, 100 * LARGE);
  assert.throws(() => budget.hold(BETA, newResponse(), LARGE), isUnavailable);
  response.emit('close');
  const other = newResponse();
  budget.hold(BETA, other, LARGE);
  assert.throws(() => budget.hold(ALFA, newResponse(), 100 * LARGE), isUnavailable);
});

test('a tenant whose answer did not fit is refused before the next file is read, until something was given back', () => {
  const budget = createAnswerBudget(3 * LARGE);
  const response = newResponse();
  budget.checkRoom(ALFA);
  budget.hold(ALFA, response, LARGE);
  budget.checkRoom(ALFA);
  assert.throws(() => budget.hold(ALFA, newResponse(), LARGE), isUnavailable);
  assert.throws(() => budget.checkRoom(ALFA), isUnavailable);
  budget.checkRoom(BETA);
  response.emit('close');
  budget.checkRoom(ALFA);
});

test('what is held and what is refused is told, before a file is read as well', () => {
  const told: unknown[] = [];
  const budget = createAnswerBudget(2 * LARGE, {
    held: (bytes) => told.push(bytes),
    refused: () => told.push('refused'),
  });
  const response = newResponse();
  budget.hold(ALFA, response, LARGE);
  assert.throws(() => budget.hold(ALFA, newResponse(), LARGE), isUnavailable);
  assert.throws(() => budget.checkRoom(ALFA), isUnavailable);
  response.emit('close');
  assert.deepEqual(told, [LARGE, 'refused', 'refused', 0]);
});

test('an answer to a client that has left takes nothing', async (t) => {
  const budget = createAnswerBudget(2 * LARGE);
  const { promise: left, resolve } = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => response.once('close', () => resolve(response)));
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(server, 'request');
  socket.destroy();
  for (let count = 0; count < 3; count += 1) budget.hold(ALFA, await left, LARGE);
  budget.hold(ALFA, newResponse(), LARGE);
});
