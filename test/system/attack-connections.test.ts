import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../support/process.ts';
import { as, startTestService, type TestService } from '../support/service.ts';
import { steadyElapsedMs } from '../support/steady-time.ts';
import { type Attacker, attackerOn, attackersOn, head, submissionHead } from './attack-client.ts';

const LIMITS = { MAX_CONNECTIONS: '20', MAX_CONNECTIONS_PER_ADDRESS: '8' };
const PING = head('GET', '/ping', as('demo-alfa'));

async function start(t: TestContext, variables: Readonly<Record<string, string>>): Promise<TestService> {
  const service = await startTestService({ variables });
  t.after(() => service.stop());
  return service;
}

async function answerTo(attacker: Attacker): Promise<string> {
  await attacker.send(PING);
  await until('an answer', () => attacker.received().includes('}'));
  return attacker.received();
}

function assertTooMany(answer: string, why: RegExp): void {
  assert.match(answer, /^HTTP\/1\.1 503 Service Unavailable\r\n/u);
  assert.match(answer, /\r\ncontent-type: application\/problem\+json/u);
  assert.match(answer, /\r\nx-request-id: [0-9a-f-]{36}\r\n/u);
  assert.match(answer, /\r\nretry-after: [1-9]\d*\r\n/u);
  assert.match(answer, /\r\nconnection: close\r\n/u);
  assert.match(answer, why);
}

test('more connections from one address than allowed are answered 503; others are served, and room is used again', async (t) => {
  const service = await start(t, LIMITS);
  const taken = await attackersOn(t, service, 8);
  for (const attacker of taken) assert.match(await answerTo(attacker), /^HTTP\/1\.1 200/u);
  const refused = await attackersOn(t, service, 3);
  for (const attacker of refused) {
    assertTooMany(await answerTo(attacker), /too many connections from 127\.0\.0\.1/u);
    await until('closed', () => attacker.hasEnded());
  }
  const elsewhere = await attackerOn(t, service, { from: '127.0.0.2' });
  assert.match(await answerTo(elsewhere), /^HTTP\/1\.1 200/u);
  taken[0]?.socket.destroy();
  await until('room again', async () => (await answerTo(await attackerOn(t, service))).startsWith('HTTP/1.1 200'));
});

test('more connections in all than allowed are answered 503, from whatever address', async (t) => {
  const service = await start(t, LIMITS);
  for (const host of [1, 2, 3]) {
    const count = host === 3 ? 4 : 8;
    for (const attacker of await attackersOn(t, service, count, { from: `127.0.0.${host}` })) {
      assert.match(await answerTo(attacker), /^HTTP\/1\.1 200/u);
    }
  }
  const refused = await attackerOn(t, service, { from: '127.0.0.4' });
  assertTooMany(await answerTo(refused), /too many connections to the service/u);
});

test('the limit for one address does not hold for a trusted proxy', async (t) => {
  const service = await start(t, { ...LIMITS, TRUST_PROXY: '127.0.0.0/24' });
  for (const attacker of await attackersOn(t, service, 20)) {
    assert.match(await answerTo(attacker), /^HTTP\/1\.1 200/u);
  }
});

test('so many refused connections that there is no time for answers are closed all the same', async (t) => {
  const service = await start(t, LIMITS);
  const taken = await attackersOn(t, service, 8);
  for (const attacker of taken) await answerTo(attacker);
  const refused = await attackersOn(t, service, 200);
  await until('all closed', () => refused.every(({ hasEnded, socket }) => hasEnded() || socket.destroyed));
  const elsewhere = await attackerOn(t, service, { from: '127.0.0.2' });
  assert.match(await answerTo(elsewhere), /^HTTP\/1\.1 200/u);
});

test('a time for requests below the usual time for headers holds for headers and bodies alike', async (t) => {
  const service = await start(t, { REQUEST_TIMEOUT_SECONDS: '1' });
  const since = steadyElapsedMs();
  const [slowHead, slowBody] = [await attackerOn(t, service), await attackerOn(t, service)];
  await slowHead.send(PING.slice(0, 20));
  await slowBody.send(`${submissionHead('demo-alfa', 100)}<`);
  for (const { received } of [slowHead, slowBody]) {
    await until('an answer', () => received().includes('}'));
    assert.match(received(), /^HTTP\/1\.1 408 /u);
  }
  assert.ok(steadyElapsedMs() - since < 15_000, 'before the usual time for headers is over');
});

test('every time for headers and requests that the configuration takes is one the service starts with', async (t) => {
  const service = await start(t, { HEADERS_TIMEOUT_SECONDS: '3600', REQUEST_TIMEOUT_SECONDS: '3600' });
  assert.match(await answerTo(await attackerOn(t, service)), /^HTTP\/1\.1 200/u);
});
