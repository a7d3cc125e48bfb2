import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CALLS_PER_NETWORK,
  limitRefusedCalls,
  NETWORKS_AT_ONCE,
  NETWORKS_PER_KEY,
  OTHER_ADDRESSES,
} from '../../../src/application/audit/limit-refused-calls.ts';
import type { AuditEntry } from '../../../src/application/ports/storage/audit-store.ts';
import { MORNING, newAuditEntry, newEdb } from '../../engines/samples.ts';
import { clockAt } from '../../support/test-clock.ts';

const MINUTE_MS = 60_000;

function limited() {
  const clock = clockAt(new Date(MORNING).toISOString());
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const limit = limitRefusedCalls({ clock, newId });
  const refused = (changes: Partial<AuditEntry> = {}) =>
    newAuditEntry({ at: clock.now(), httpStatus: 401, code: 'ERR-1001', address: '192.0.2.1', ...changes });
  /** How many of so many calls are kept one by one. */
  const kept = (calls: number, changes: Partial<AuditEntry> = {}, isAdmitted = false) =>
    Array.from({ length: calls }, () => limit.keeps(refused(changes), isAdmitted)).filter(Boolean).length;
  return { clock, limit, kept };
}

test('calls without a recognised key are kept up to a rate; the others of the minute are counted by kind', () => {
  const { clock, limit, kept } = limited();
  assert.equal(kept(3_000), CALLS_PER_NETWORK);
  assert.equal(kept(5, { httpStatus: 404, code: null, path: '/x', softwareId: 'scanner' }), 0);
  assert.deepEqual(limit.takeCounts(), [], 'the minute is not over');
  clock.advance(MINUTE_MS);
  const counts = limit.takeCounts();
  assert.deepEqual(
    counts.map(({ at, address, httpStatus, code, calls }) => [at, address, httpStatus, code, calls]),
    [
      [MORNING, '192.0.2.1', 401, 'ERR-1001', 3_000 - CALLS_PER_NETWORK],
      [MORNING, '192.0.2.1', 404, null, 5],
    ],
  );
  assert.deepEqual(
    counts.map(({ tenant, method, path, softwareId, requestId }) => [tenant, method, path, softwareId, requestId]),
    [
      [null, '*', '*', null, 'id-1'],
      [null, '*', '*', null, 'id-2'],
    ],
  );
  assert.deepEqual(limit.takeCounts(), []);
  assert.equal(kept(1), 1, 'a new minute begins');
});

test('one caller does not use up what another may', () => {
  const { kept } = limited();
  assert.equal(kept(100, { address: '192.0.2.1' }), CALLS_PER_NETWORK);
  assert.equal(kept(1, { address: '192.0.2.2' }), 1);
  assert.equal(kept(100, { address: '2001:db8:1:2::1' }), CALLS_PER_NETWORK);
  assert.equal(kept(1, { address: '2001:db8:1:2:ffff::9' }), 0, 'the same /64');
});

test('addresses beyond the number that is tracked are counted together', () => {
  const { clock, limit, kept } = limited();
  for (let number = 0; number < 10_000; number += 1) kept(1, { address: `10.0.${number >> 8}.${number & 255}` });
  clock.advance(MINUTE_MS);
  const counts = limit.takeCounts();
  assert.deepEqual(
    counts.map(({ address, calls }) => [address, calls]),
    [[OTHER_ADDRESSES, 10_000 - NETWORKS_AT_ONCE]],
  );
});

test('all unrecognised callers together make a bounded number of entries', () => {
  const { clock, limit, kept } = limited();
  let entries = 0;
  for (let number = 0; number < 500; number += 1)
    entries += kept(100, { address: `10.0.${number >> 8}.${number & 255}` });
  clock.advance(MINUTE_MS);
  entries += limit.takeCounts().length;
  assert.ok(entries <= 300 + NETWORKS_AT_ONCE + 1, `${entries} entries`);
});

test('calls of a recognised key that count against its limit are all kept, whatever their outcome', () => {
  const { limit, kept } = limited();
  for (const [httpStatus, code] of [
    [200, null],
    [400, 'ERR-1008'],
    [404, 'ERR-3001'],
  ] as const)
    assert.equal(kept(500, { tenant: newEdb(), keyId: 'key-1', httpStatus, code }, true), 500);
  assert.deepEqual(limit.takeAllCounts(), []);
});

test('other calls of a recognised key, of a revoked one as well, are kept up to a rate, at whatever path', () => {
  const { clock, limit, kept } = limited();
  const tenant = newEdb();
  const outcomes = [
    [429, 'ERR-1006'],
    [404, null],
    [405, null],
    [400, 'ERR-2021'],
    [200, null],
  ] as const;
  for (const [index, [httpStatus, code]] of outcomes.entries()) {
    const keyId = `key-${index}`;
    assert.equal(kept(500, { tenant, keyId, httpStatus, code, path: '/x' }), CALLS_PER_NETWORK);
  }
  clock.advance(MINUTE_MS);
  assert.deepEqual(
    limit.takeCounts().map((entry) => [entry.tenant, entry.keyId, entry.httpStatus, entry.code, entry.calls]),
    outcomes.map(([httpStatus, code], index) => [tenant, `key-${index}`, httpStatus, code, 500 - CALLS_PER_NETWORK]),
  );
});

test('counted calls of a key name the addresses they came from, up to a number of them', () => {
  const { clock, limit, kept } = limited();
  const key = { tenant: newEdb(), keyId: 'key-1', httpStatus: 403, code: 'ERR-1004' } as const;
  kept(CALLS_PER_NETWORK, key);
  for (let number = 1; number <= 70; number += 1) kept(2, { ...key, address: `192.0.2.${number}` });
  kept(5, { ...key, address: '192.0.2.3', httpStatus: 429, code: 'ERR-1006' });
  clock.advance(MINUTE_MS);
  const counts = limit.takeCounts();
  assert.deepEqual(
    counts.map(({ address, code, calls }) => [address, code, calls]),
    [
      ...Array.from({ length: NETWORKS_PER_KEY }, (_, index) => [`192.0.2.${index + 1}`, 'ERR-1004', 2]),
      [OTHER_ADDRESSES, 'ERR-1004', 2 * (70 - NETWORKS_PER_KEY)],
      ['192.0.2.3', 'ERR-1006', 5],
    ],
  );
});

test('at the end what was counted is told before the minute is over', () => {
  const { limit, kept } = limited();
  kept(CALLS_PER_NETWORK + 7);
  assert.deepEqual(
    limit.takeAllCounts().map(({ calls }) => calls),
    [7],
  );
  assert.deepEqual(limit.takeAllCounts(), []);
});
