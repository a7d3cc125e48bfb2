import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptance } from '../../../src/application/delivery/settlement-write.ts';
import type { Storage } from '../../../src/application/ports/storage/storage.ts';
import { MORNING, newTenant } from '../../engines/samples.ts';
import { clockAt } from '../../support/test-clock.ts';

const EUID = '01a1e35e-c000-7aaa-8bbb-000000000031';
const REGISTRATION = { euid: EUID, qrLink: null, registeredAt: null, status: { code: '01', name: null }, answer: null };
const BEGUN = { act: 'send', startedAt: MORNING, ordinal: 1 };

/** Writes down whose recurring tasks are changed; a stop of the taxpayer ends with the acceptance. */
function noting(tenants: string[]): Storage {
  const silent = new Proxy({}, { get: () => async () => true });
  const recurringTasks = new Proxy({}, { get: () => async (tenant: string) => void tenants.push(tenant) });
  return { tenants: silent, deliveries: silent, voids: silent, recurringTasks } as unknown as Storage;
}

// Each transaction keeps the rows that it has changed: with its own first, two that invoice each other would each wait for the other's.
test('the tasks of seller and buyer are changed in the same order whoever of the two sells', async () => {
  const pair = [newTenant(), newTenant()] as const;
  for (const [seller, buyer] of [pair, pair.toReversed()]) {
    const document = { docUid: 'document', partnerEdb: buyer?.edb, leftOutReferences: null };
    const context = { needs: { clock: clockAt() }, delivery: { tenant: seller, document }, begun: BEGUN };
    const changed: string[] = [];
    const { also } = acceptance(context as never, REGISTRATION as never, null);
    await also(noting(changed));
    assert.deepEqual(new Set(changed), new Set(pair.map(({ edb }) => edb)));
    assert.deepEqual(changed, changed.toSorted());
  }
});
