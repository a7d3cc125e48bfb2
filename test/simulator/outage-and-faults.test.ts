import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAuthority } from './authority-client.ts';
import { sampleDocument } from './sample-document.ts';

const MAX_ANSWER_MS = 700;

test('an outage of each kind can be started and ended while the program runs', async (t) => {
  const { admin, simulator, send } = await startAuthority(t);
  const time = () => fetch(`${simulator.url}/api/v1/server-time`);
  assert.deepEqual(await admin('outage'), { on: false, kind: null, httpStatus: 200 });

  assert.deepEqual(await admin('outage', { on: true }), { on: true, kind: '502-html', httpStatus: 200 });
  const response = await time();
  assert.deepEqual([response.status, response.headers.get('content-type')], [502, 'text/html']);
  assert.equal((await send(sampleDocument())).status, 502);
  assert.equal((await fetch(`${simulator.portalUrl}/euid/x`)).status, 502);

  await admin('outage', { on: true, kind: 'refuse' });
  await assert.rejects(time(), /fetch failed/u);

  await admin('outage', { on: true, kind: 'timeout' });
  await assert.rejects(fetch(`${simulator.url}/api/v1/server-time`, { signal: AbortSignal.timeout(MAX_ANSWER_MS) }), {
    name: 'TimeoutError',
  });

  assert.deepEqual(await admin('outage', { on: false }), { on: false, kind: null, httpStatus: 200 });
  assert.equal((await time()).status, 200);
  assert.equal((await send(sampleDocument())).status, 200);
});

test('nothing is registered during an outage', async (t) => {
  const { admin, send, listed } = await startAuthority(t, { startInOutage: true });
  assert.equal((await send(sampleDocument())).status, 502);
  await admin('outage', { on: false });
  assert.equal((await listed()).length, 0);
});

test('the given share of answers is lost after registration, the same answers for the same seed', async (t) => {
  const lostBy = async (seed: number) => {
    const { send, listed, admin } = await startAuthority(t);
    await admin('faults', { loseAnswers: 0.3, seed });
    const lost: number[] = [];
    for (let number = 0; number < 60; number += 1) {
      await send(sampleDocument({ docNumber: `F-${number}` })).catch(() => lost.push(number));
    }
    assert.equal((await listed()).length, 60);
    return lost;
  };
  const first = await lostBy(7);
  assert.ok(first.length > 5 && first.length < 35, `${first.length} of 60`);
  assert.deepEqual(await lostBy(7), first);
  assert.notDeepEqual(await lostBy(8), first);
});

test('the document of a lost request is not registered, and a lost query changes nothing', async (t) => {
  const { send, ask, listed, admin } = await startAuthority(t, { faults: { loseRequests: 1, loseQueries: 1 } });
  await assert.rejects(send(sampleDocument()));
  await assert.rejects(ask('sales-invoice/ids', { dateFrom: '2026-11-01', dateTo: '2026-11-30' }));
  assert.equal((await listed()).length, 0);
  const rates = await admin('faults', {});
  assert.deepEqual(rates, { loseAnswers: 0, loseRequests: 0, loseQueries: 0, seed: 1, httpStatus: 200 });
  assert.equal((await send(sampleDocument())).status, 200);
});

test('invalid calls are refused with a message', async (t) => {
  const { admin } = await startAuthority(t);
  const calls: readonly (readonly [string, unknown])[] = [
    ['outage', {}],
    ['outage', { on: 'yes' }],
    ['outage', { on: true, kind: 'fire' }],
    ['faults', { loseAnswers: 2 }],
    ['faults', { loseAnswers: '0.2' }],
    ['faults', { lose: 0.2 }],
    ['faults', { seed: 0.5 }],
    ['outage', 'on'],
    ['rules', { tolerance: -1 }],
    ['rules', { tolerance: '0.01' }],
    ['rules', { tolerance: 1e-9 }],
    ['rules', { toleration: 0.01 }],
    ['rules', { containerRequests: 'none' }],
  ];
  for (const [path, input] of calls) {
    const { httpStatus, error } = await admin(path, input);
    assert.equal(httpStatus, 400, JSON.stringify(input));
    assert.equal(typeof error, 'string');
  }
});
