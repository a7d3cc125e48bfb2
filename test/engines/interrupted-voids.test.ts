import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpretErrors } from '../../src/adapters/ujp/answers/interpret-errors.ts';
import { ServiceStopping } from '../../src/application/errors/service-stopping.ts';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import { deliverVoids } from '../../src/application/voiding/deliver-voids.ts';
import type { VoidNeeds } from '../../src/application/voiding/void-delivery.ts';
import { onEveryEngine } from '../support/engines.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from './samples.ts';
import { voidNeeds } from './void-needs.ts';

const SECOND = 1_000;
const REASON = { code: 'S-1', name: 'Погрешен купувач', comment: null };
const ANSWER = { accepted: true, qrLink: null, registeredAt: null, message: null, errors: [] };
const UJP = { ...ANSWER, euid: '01a1e35e-c000-7aaa-8bbb-000000000011', statusCode: '01', statusName: null };
const DOCUMENT = { docTypeCode: '100', docNumber: '7-ST', docDate: '2026-11-16', docId: 'V', text: '{"document":{}}' };
const REGISTRATION = { euid: '01a1e35e-c000-7aaa-8bbb-000000000012', qrLink: null, registeredAt: null, answer: null };

onEveryEngine('a void whose worker is interrupted', (database) => {
  /** Delivers a void to an authority that answers so far as the test has it; what became of it. */
  async function deliver(answers: object, needs: Partial<VoidNeeds> = {}) {
    const { storage } = database();
    const settings = newTenant({ eujpId: 'user' });
    const docUid = await storage.transaction(async (tx) => {
      await tx.tenants.add(settings, MORNING);
      const { docUid } = await addOutboundIn(tx, settings.edb, 40, newOutbound({ holdMs: 0 }), MORNING, { ujp: UJP });
      await tx.voids.request(settings.edb, docUid, REASON, MORNING);
      return docUid;
    });
    const authority = {
      interpret: interpretErrors,
      prepareVoid: async () => ({ outcome: 'prepared', document: DOCUMENT }),
      requestTimestamp: async () => '2026-11-16T09:00:00',
      ...answers,
    };
    const failures: unknown[] = [];
    const { startDue, finish } = deliverVoids({
      ...{ ...voidNeeds(storage, authority).needs, ...needs },
      newToken: () => 'interrupted',
      onFailure: (error) => void failures.push(error),
    });
    await startDue();
    await finish();
    const {
      state,
      dueAt,
      failures: counted,
      voidEuid,
    } = (await storage.voids.find(settings.edb, docUid)) ?? assert.fail();
    // What is due would be claimed by the next test.
    await storage.transaction((tx) => tx.voids.claim(settings.edb, { token: 'none', until: 2 * MORNING }, MORNING, 1));
    return { state, dueAt, counted, voidEuid, failures };
  }

  for (const [what, error, pauseMs] of [
    ['because its process stops is due at once', new ServiceStopping(), 0],
    ['by the database is due in a few seconds', new ServiceUnavailable('no database'), 5 * SECOND],
  ] as const) {
    const fail = () => Promise.reject(error);

    test(`${what}, and the try does not count`, async () => {
      const { state, dueAt, counted, failures } = await deliver({ prepareVoid: fail });
      assert.deepEqual([state, dueAt, counted], ['requested', MORNING + pauseMs, 0]);
      assert.deepEqual(failures, [error]);
    });

    test(`${what}, and stays sent where it was on record as sent`, async () => {
      const { state, dueAt } = await deliver({ send: fail });
      assert.deepEqual([state, dueAt], ['sent', MORNING + pauseMs]);
    });
  }

  test('while it waits for the name of a status is on record as registered', async () => {
    const readList = () => Promise.reject(new ServiceStopping());
    const { state, voidEuid, failures } = await deliver({ send: async () => REGISTRATION }, { readList });
    assert.deepEqual([state, voidEuid, failures], ['registered', REGISTRATION.euid, []]);
  });
});
