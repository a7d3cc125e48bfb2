import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alfa, beta, errorOf, SECOND, startAuthority } from './authority-client.ts';
import { type Json, sampleDocument } from './sample-document.ts';

const NOVEMBER = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };

test('a second request of a user within a second is E4007, both APIs counted together', async (t) => {
  const { send, ask, clock } = await startAuthority(t, { paced: true });
  assert.equal((await send(sampleDocument())).status, 200);
  const busy = await send(sampleDocument());
  assert.deepEqual([busy.status, busy.body['code']], [429, 'E4007']);
  assert.equal(errorOf(await ask('sales-invoice/ids', NOVEMBER)), 'E4007');
  clock.advance(SECOND - 1);
  assert.equal(errorOf(await ask('sales-invoice/ids', NOVEMBER)), 'E4007');
  clock.advance(1);
  assert.equal((await ask('sales-invoice/ids', NOVEMBER))['success'], true);
  assert.equal((await send(sampleDocument())).body['code'], 'E4007');
});

test('the limit is per user', async (t) => {
  const { ask, send } = await startAuthority(t, { paced: true });
  assert.equal((await ask('sales-invoice/ids', NOVEMBER, alfa))['success'], true);
  assert.equal((await ask('purchase-invoice/ids', NOVEMBER, beta))['success'], true);
  assert.equal((await send(sampleDocument())).body['code'], 'E4007');
});

test('calls of catalogues count, calls of server-time do not', async (t) => {
  const { simulator, ask } = await startAuthority(t, { paced: true });
  const headers = { 'X-EUJP-ID': alfa.eujpId, 'X-EDB': alfa.edb };
  const get = async (service: string) =>
    (await (await fetch(`${simulator.url}/api/v1/${service}`, { headers })).json()) as Json;
  for (let call = 0; call < 5; call += 1) assert.ok('timestamp' in (await get('server-time')));
  assert.equal((await get('currency'))['success'], true);
  assert.equal(errorOf(await get('currency')), 'E4007');
  assert.equal(errorOf(await ask('sales-invoice/ids', NOVEMBER)), 'E4007');
});

test('without the limit all requests are answered', async (t) => {
  const { ask } = await startAuthority(t);
  for (let call = 0; call < 5; call += 1) assert.equal((await ask('sales-invoice/ids', NOVEMBER))['success'], true);
});
