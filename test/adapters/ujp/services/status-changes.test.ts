import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthorityCaller } from '../../../../src/adapters/ujp/gateway/authority-caller.ts';
import { statusChanges } from '../../../../src/adapters/ujp/services/status-changes.ts';
import { newTenant } from '../../../engines/samples.ts';

const EUID = '019b8d43-7840-7433-b358-08891b53605c';
const REJECTED = { code: '05', name: 'Одбиена' };
const NEW = { code: '01', name: 'Испратена (Нова)' };

async function changes(statusHistory: readonly object[], day = '2026-11-16') {
  const caller = { postSigned: async () => ({ success: true, statusHistory }) };
  return statusChanges(caller as unknown as AuthorityCaller)(newTenant(), day);
}

test('a change has the time that the authority gives in Skopje, in winter, in summer and with an offset', async () => {
  const times: readonly (readonly [timestamp: unknown, day: string, at: string | null])[] = [
    ['2026-11-16T10:13:35', '2026-11-16', '2026-11-16T09:13:35.000Z'],
    ['2026-07-01 10:13:35', '2026-07-01', '2026-07-01T08:13:35.000Z'],
    ['2026-11-16T10:13:35Z', '2026-11-16', '2026-11-16T10:13:35.000Z'],
    ['yesterday', '2026-11-16', null],
    [null, '2026-11-16', null],
  ];
  for (const [timestamp, day, at] of times) {
    const [change] = await changes([{ euid: EUID, newStatus: REJECTED, timestamp }], day);
    assert.equal(change?.at ?? null, at === null ? null : Date.parse(at), String(timestamp));
  }
});

test('the reason of a rejection is its code, its text and the comment of the buyer, each once', async () => {
  const row = { euid: EUID, newStatus: REJECTED, timestamp: '2026-11-16T10:00:00' };
  const reasons = { rejectReasonCode: 'O-2', rejectReason: 'Грешка во нарачка' };
  const read = async (more: object) => (await changes([{ ...row, ...more }]))[0]?.reason;
  assert.equal(await read({ ...reasons, comment: 'Цена' }), 'O-2 Грешка во нарачка; Цена');
  assert.equal(await read({ ...reasons, comment: 'Цена', cancelComment: 'Цена' }), 'O-2 Грешка во нарачка; Цена');
  assert.equal(await read({ comment: null, rejectReason: null }), null);
});

test('a change says which status it began with, or that of the change before it of the same document', async () => {
  const other = EUID.replace(/c$/u, 'd');
  const rows = [
    { euid: EUID, oldStatus: NEW, newStatus: { code: '03', name: '' }, timestamp: '2026-11-16T10:00:00' },
    { euid: other, newStatus: REJECTED, timestamp: '2026-11-16T10:00:00' },
    { euid: EUID, newStatus: REJECTED, timestamp: '2026-11-16T10:00:00' },
  ];
  assert.deepEqual(
    (await changes(rows)).map(({ status, from }) => [from, status.code]),
    [
      ['01', '03'],
      [null, '05'],
      ['03', '05'],
    ],
  );
});

test('changes come oldest first, and one without a readable time after the row before it', async () => {
  const rows = [
    { euid: EUID, newStatus: REJECTED, timestamp: '2026-11-16T12:00:00' },
    { euid: EUID, newStatus: { code: '07', name: 'Сторнирана' }, timestamp: '' },
    { euid: EUID, newStatus: NEW, timestamp: '2026-11-16T11:00:00' },
  ];
  assert.deepEqual(
    (await changes(rows)).map(({ status }) => status.code),
    ['01', '05', '07'],
  );
});
