import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Authority, beta, DAY, SECOND, startAuthority } from './authority-client.ts';
import type { Json } from './sample-document.ts';

const statusOf = async (authority: Authority, euid: string) =>
  ((await authority.ask('sales-invoice/current-status', { euid }))['docStatus'] as Json)['statusCode'];

const historyOf = async (authority: Authority, euid: string) =>
  (await authority.ask('sales-invoice/status', { euid }))['statusHistory'] as readonly Json[];

test('without a decision a document is accepted at the end of the period, and dated so', async (t) => {
  const authority = await startAuthority(t, { autoAcceptMs: 5 * DAY });
  const euid = await authority.registered();
  authority.clock.advance(5 * DAY - SECOND);
  assert.equal(await statusOf(authority, euid), '01');
  authority.clock.advance(2 * DAY);
  assert.equal(await statusOf(authority, euid), '04');
  const last = (await historyOf(authority, euid)).at(-1);
  assert.deepEqual(
    [last?.['timestamp'], last?.['comment'], last?.['userId']],
    ['2026-11-20T10:00:00', 'Document auto accept after expiration date', null],
  );
  const { statusHistory } = await authority.ask('purchase-invoice/changes', { date: '2026-11-20' }, beta);
  assert.deepEqual(
    (statusHistory as readonly Json[]).map(({ newStatus }) => newStatus),
    [{ code: '04', name: 'Автоматски прифатена' }],
  );
});

test('a decision of the buyer in time is final', async (t) => {
  const authority = await startAuthority(t);
  const euid = await authority.registered();
  await authority.ask('purchase-invoice/accept-reject', { euid, isAccepted: false, rejectReasonCode: 'O-1' }, beta);
  authority.clock.advance(10 * DAY);
  assert.equal(await statusOf(authority, euid), '05');
});

test('automatic acceptance is per document: a later document stays in status 01', async (t) => {
  const authority = await startAuthority(t, { autoAcceptMs: DAY });
  const first = await authority.registered();
  authority.clock.advance(DAY / 2);
  const second = await authority.registered();
  authority.clock.advance(DAY / 2);
  assert.deepEqual([await statusOf(authority, first), await statusOf(authority, second)], ['04', '01']);
});

for (const [scenario, status] of [
  ['SIM-BUYER-YES-01', '03'],
  ['SIM-BUYER-NO-01', '05'],
] as const) {
  test(`the buyer of ${scenario} decides after two seconds: ${status}`, async (t) => {
    const authority = await startAuthority(t, { buyerDecisionMs: 2 * SECOND });
    const euid = await authority.registered({ docNumber: scenario });
    assert.equal(await statusOf(authority, euid), '01');
    authority.clock.advance(2 * SECOND);
    assert.equal(await statusOf(authority, euid), status);
    const row = (await authority.ask('sales-invoice/changes', { date: '2026-11-15' }))['statusHistory'] as Json[];
    assert.equal(row.at(-1)?.['rejectReasonCode'], status === '05' ? 'O-2' : null);
    authority.clock.advance(30 * DAY);
    assert.equal(await statusOf(authority, euid), status);
  });
}
