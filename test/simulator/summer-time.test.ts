import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alfa, errorOf, startAuthority } from './authority-client.ts';

test('in the hour that is repeated when summer time ends, a timestamp is accepted in both', async (t) => {
  // 02:30 in Skopje comes twice that night: at 00:30 and at 01:30 UTC.
  for (const moment of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']) {
    const authority = await startAuthority(t, { now: () => new Date(moment) });
    const local = '2026-10-25T02:30:00';
    const changes = { timestamp: local, envelope: { requestTimestamp: local } };
    const answer = await authority.ask('sales-invoice/current-status', { euid: 'any' }, alfa, changes);
    assert.equal(errorOf(answer), 'E1018');
  }
});
