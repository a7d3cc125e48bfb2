import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CertificateTerm,
  listCertificates,
  watchCertificates,
} from '../../../src/application/accounts/watch-certificates.ts';
import type { SealedCredential } from '../../../src/application/ports/storage/credential-store.ts';
import { edb, MORNING } from '../../engines/samples.ts';
import { clockAt } from '../../support/test-clock.ts';

const DAY = 86_400_000;

function credential(tenant: string, serialNumber: string, validTo: number): SealedCredential {
  const sealed = { sealedKey: new Uint8Array(), sealedBy: '', certificate: '', changedAt: MORNING };
  return { tenant: edb(tenant), serialNumber, validTo, ...sealed };
}

test('certificates are told of once at 30, 14 and 3 days and when they have expired, and a new one anew', async () => {
  let stored = [
    credential('4000000000001', 'LONG', MORNING + 400 * DAY),
    credential('4000000000002', 'A', MORNING + 31 * DAY),
  ];
  const clock = clockAt();
  const told: string[] = [];
  let seen: readonly CertificateTerm[] = [];
  const look = watchCertificates({
    list: listCertificates({ credentials: { facts: async () => stored }, clock }),
    onLook(all) {
      seen = all;
    },
    onWarning: ({ serialNumber, warning, daysLeft }) => told.push(`${serialNumber} ${warning} ${daysLeft}`),
  });
  for (let day = 0; day <= 33; day += 1) {
    await look();
    await look();
    clock.advance(DAY);
  }
  assert.deepEqual(told, ['A 30 30', 'A 14 14', 'A 3 3', 'A 0 0']);
  assert.deepEqual(
    seen.map(({ serialNumber, daysLeft }) => [serialNumber, daysLeft]),
    [
      ['A', -2],
      ['LONG', 367],
    ],
  );
  stored = [credential('4000000000002', 'B', clock.now() + 10 * DAY)];
  await look();
  assert.deepEqual(told.slice(4), ['B 14 10']);
});
