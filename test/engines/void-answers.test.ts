import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpretErrors } from '../../src/adapters/ujp/answers/interpret-errors.ts';
import { inspectOutbound } from '../../src/application/outbound/inspect-outbound.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { claimedVoid } from '../../src/application/voiding/claimed-void.ts';
import { sendVoid } from '../../src/application/voiding/send-void.ts';
import type { VoidNeeds } from '../../src/application/voiding/void-delivery.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { onEveryEngine } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from './samples.ts';

const REASON = { code: 'S-1', name: 'Reason', comment: null };
const LEASE = { token: 'first', until: MORNING + 60_000 };
const PAYLOAD = { docTypeCode: '100', docNumber: '2026-1-ST', docDate: '2026-11-16', docId: 'ID', text: '{}' };
const OF_THE_VOIDED = '01a1e35e-c000-7aaa-8bbb-000000000001';
const OF_ANOTHER = '01a1e35e-c000-7aaa-8bbb-000000000002';
const OF_ANOTHER_VOID = '01a1e35e-c000-7aaa-8bbb-000000000004';
const ITS_OWN = '01a1e35e-c000-7aaa-8bbb-000000000003';

function addAccepted(tx: Storage, tenant: Edb, euid: string) {
  const answer = { accepted: true, euid, qrLink: null, registeredAt: null, message: null, errors: [] };
  return addOutboundIn(tx, tenant, 40, newOutbound(), MORNING, {
    ujp: { ...answer, statusCode: '01', statusName: null },
  });
}

async function settleVoid(tx: Storage, tenant: Edb, docUid: DocUid, voidEuid: string): Promise<void> {
  const end = { dueAt: null, failures: 0, failureCode: null, failureMessage: null };
  await tx.voids.claim(tenant, { ...LEASE, token: 'other' }, LEASE.until, 100);
  assert.ok(await tx.voids.settle(tenant, docUid, 'other', { ...end, state: 'registered', voidEuid }));
}

onEveryEngine('the answer to a void', (database) => {
  async function answeredWith(euid: string, isKnown = false) {
    const { storage } = database();
    const settings = newTenant({ eujpId: 'user' });
    const { edb } = settings;
    const docUid = await storage.transaction(async (tx) => {
      await tx.tenants.add(settings, MORNING);
      const { docUid: voided } = await addAccepted(tx, edb, OF_THE_VOIDED);
      const { docUid: another } = await addAccepted(tx, edb, OF_ANOTHER);
      await tx.voids.request(edb, another, REASON, MORNING);
      await settleVoid(tx, edb, another, OF_ANOTHER_VOID);
      await tx.voids.request(edb, voided, REASON, MORNING);
      return voided;
    });
    const status = { code: '01', name: null };
    const authority = {
      interpret: interpretErrors,
      prepareVoid: async () => ({ outcome: 'prepared', document: PAYLOAD }),
      requestTimestamp: async () => '2026-11-16T09:00:00',
      async send() {
        if (isKnown) await storage.transaction((tx) => settleVoid(tx, edb, docUid, euid));
        return { euid, qrLink: null, registeredAt: null, status, message: null, answer: `{"euid":"${euid}"}` };
      },
    } as unknown as VoidNeeds['authority'];
    const needs: VoidNeeds = {
      storage,
      authority,
      readList: async () => [],
      clock: clockAt(),
      random: { bytes: (count) => new Uint8Array(count) },
      leaseMs: 60_000,
      outcomeWindowMs: 330_000,
      report: () => undefined,
    };
    const [mine] = await storage.transaction((tx) => tx.voids.claim(edb, LEASE, MORNING, 1));
    const tenant = (await storage.tenants.find(edb)) ?? assert.fail();
    await sendVoid(needs, claimedVoid(needs, tenant, mine ?? assert.fail('not claimed'), LEASE.token));
    return inspectOutbound({ storage })(edb, docUid);
  }

  test('settles it where the EUID is new', async () => {
    const details = await answeredWith(ITS_OWN);
    assert.deepEqual([details.void?.state, details.void?.voidEuid], ['registered', ITS_OWN]);
    assert.equal(details.document.ujp?.statusCode, '07');
  });

  test('is its own where another process has put the same EUID on record meanwhile', async () => {
    const { void: known, attempts, strayRegistrations } = await answeredWith(ITS_OWN, true);
    assert.deepEqual([known?.state, known?.voidEuid, strayRegistrations], ['registered', ITS_OWN, []]);
    assert.deepEqual([attempts[0]?.act, attempts[0]?.outcome], ['void-send', 'registered']);
  });

  for (const [whose, euid] of [
    ['the voided document', OF_THE_VOIDED],
    ['another document, in large letters', OF_ANOTHER.toUpperCase()],
    ['another void', OF_ANOTHER_VOID],
  ] as const) {
    test(`is none where the EUID is that of ${whose}: the void is looked up`, async () => {
      const { void: requested, document, attempts } = await answeredWith(euid);
      assert.deepEqual([requested?.state, requested?.voidEuid, document.ujp?.statusCode], ['sent', null, '01']);
      assert.ok(requested?.dueAt !== null);
      const [send] = attempts;
      assert.deepEqual([send?.act, send?.outcome, send?.failureCode], ['void-send', 'unknown', 'AUTHORITY-ERROR']);
      assert.match(send?.message ?? '', /the EUID of another document/u);
      assert.match(send?.answer ?? '', /01a1e35e/iu);
    });
  }
});
