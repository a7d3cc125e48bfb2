import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Registration, VoidPreparation } from '../../../src/application/ports/authority.ts';
import type { ClaimedVoid } from '../../../src/application/voiding/claimed-void.ts';
import { sendVoid } from '../../../src/application/voiding/send-void.ts';
import type { VoidNeeds } from '../../../src/application/voiding/void-delivery.ts';
import { clockAt } from '../../support/test-clock.ts';

test('a void that the authority has already is settled by the look-up, and nothing is sent', async () => {
  const registration = { euid: 'the void', registeredAt: null } as Registration;
  const document = { docTypeCode: '100', docNumber: '1-ST', docDate: '2026-11-16', docId: 'ID', text: '{}' };
  const settled: unknown[] = [];
  const authority = {
    prepareVoid: async (): Promise<VoidPreparation> => ({ outcome: 'registered', registration, document }),
  };
  const storage = {
    outbound: { find: async () => ({ ujp: { euid: 'the original' } }) },
    deliveries: { payload: async () => null },
  };
  const claimed = {
    tenant: { edb: '4030026000018' },
    void: { docUid: '01a1ddc0-3b8b-7df6-a9f7-802f112fe389', reason: {} },
    registered: async (attempt: { readonly act: string }, found: Registration) => settled.push([attempt.act, found]),
  };
  const needs = { storage, authority, clock: clockAt() };
  await sendVoid(needs as unknown as VoidNeeds, claimed as unknown as ClaimedVoid);
  assert.deepEqual(settled, [['void-look-up', registration]]);
});
