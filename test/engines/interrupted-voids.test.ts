import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { interpretErrors } from '../../src/adapters/ujp/answers/interpret-errors.ts';
import { ServiceStopping, ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { deliverVoids } from '../../src/application/voiding/deliver-voids.ts';
import type { VoidNeeds } from '../../src/application/voiding/void-delivery.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { onEveryEngine } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from './samples.ts';
import { voidNeeds } from './void-needs.ts';

const SECOND = 1_000;
const REASON = { code: 'S-1', name: 'Погрешен купувач', comment: null };
const ANSWER = { accepted: true, qrLink: null, registeredAt: null, message: null, errors: [] };
const UJP = { ...ANSWER, euid: '01a1e35e-c000-7aaa-8bbb-000000000011', statusCode: '01', statusName: null };
const DOCUMENT = { docTypeCode: '100', docNumber: '7-ST', docDate: '2026-11-16', docId: 'V', text: '{"document":{}}' };
const REGISTRATION = { euid: '01a1e35e-c000-7aaa-8bbb-000000000012', qrLink: null, registeredAt: null, answer: null };

onEveryEngine('a void whose worker is interrupted', (database) => {
  async function request(): Promise<{ readonly tenant: Edb; readonly docUid: DocUid }> {
    const settings = newTenant({ eujpId: 'user' });
    return database().storage.transaction(async (tx) => {
      await tx.tenants.add(settings, MORNING);
      const { docUid } = await addOutboundIn(tx, settings.edb, 40, newOutbound({ holdMs: 0 }), MORNING, { ujp: UJP });
      await tx.voids.request(settings.edb, docUid, REASON, MORNING);
      return { tenant: settings.edb, docUid };
    });
  }

  /** A worker whose authority answers so far as the test has it. */
  function worker(answers: object, needs: Partial<VoidNeeds> = {}) {
    const authority = {
      interpret: interpretErrors,
      prepareVoid: async () => ({ outcome: 'prepared', document: DOCUMENT }),
      requestTimestamp: async () => '2026-11-16T09:00:00',
      ...answers,
    };
    const failures: unknown[] = [];
    const delivery = deliverVoids({
      ...{ ...voidNeeds(database().storage, authority).needs, ...needs },
      newToken: randomUUID,
      onFailure: (error) => void failures.push(error),
    });
    return { ...delivery, failures };
  }

  /** Delivers a void; what became of it. */
  async function deliver(answers: object, needs: Partial<VoidNeeds> = {}) {
    const { storage } = database();
    const { tenant, docUid } = await request();
    const { startDue, finish, failures } = worker(answers, needs);
    await startDue();
    await finish();
    const { failures: counted, ...found } = (await storage.voids.find(tenant, docUid)) ?? assert.fail();
    const { state, dueAt, failureCode, voidEuid } = found;
    // What is due would be claimed by the next test.
    await storage.transaction((tx) => tx.voids.claim(tenant, { token: 'none', until: 2 * MORNING }, dueAt ?? 0, 1));
    return { state, dueAt, counted, failureCode, voidEuid, failures };
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

  const unforeseen = new TypeError('x is undefined');
  const failUnforeseen = () => Promise.reject(unforeseen);

  test('by what nobody expected counts as a failed try, with its code, and the error is told', async () => {
    const { state, dueAt, counted, failureCode, failures } = await deliver({ prepareVoid: failUnforeseen });
    assert.deepEqual([state, counted, failureCode], ['requested', 1, 'SERVICE-ERROR']);
    assert.ok(dueAt !== null && dueAt > MORNING);
    assert.deepEqual(failures, [unforeseen]);
  });

  test('by what nobody expected is looked up in a while where it was on record as sent, and the try does not count', async () => {
    const { state, dueAt, counted } = await deliver({ send: failUnforeseen });
    assert.deepEqual([state, dueAt, counted], ['sent', MORNING + 300 * SECOND, 0]);
  });

  test('while it waits for the name of a status is on record as registered', async () => {
    const readList = () => Promise.reject(new ServiceStopping());
    const { state, voidEuid, failures } = await deliver({ send: async () => REGISTRATION }, { readList });
    assert.deepEqual([state, voidEuid, failures], ['registered', REGISTRATION.euid, []]);
  });

  test('by the database that is away is given back when it is there again, and not only when its lease ends', async () => {
    const { storage } = database();
    const { tenant, docUid } = await request();
    const clock = clockAt();
    let isAway = false;
    const failing: Storage = {
      ...storage,
      transaction: (work) =>
        isAway ? Promise.reject(new ServiceUnavailable('no database')) : storage.transaction(work),
    };
    let times = 0;
    const prepareVoid = async () => {
      times += 1;
      isAway = times === 1;
      return { outcome: 'prepared', document: DOCUMENT };
    };
    const { startDue, finish } = worker({ prepareVoid, send: async () => REGISTRATION }, { clock, storage: failing });
    await startDue();
    await finish();
    await startDue();
    isAway = false;
    clock.advance(5 * SECOND);
    await startDue();
    await finish();
    assert.equal((await storage.voids.find(tenant, docUid))?.state, 'registered');
  });

  test('by a long line keeps its lease, and no other worker begins with it', async () => {
    const { storage } = database();
    const { tenant, docUid } = await request();
    const clock = clockAt();
    const line = Promise.withResolvers<void>();
    const begun: string[] = [];
    const prepare = (name: string) => async () => {
      begun.push(name);
      await line.promise;
      return { outcome: 'prepared', document: DOCUMENT };
    };
    const send = async () => REGISTRATION;
    const waiting = worker({ prepareVoid: prepare('waiting'), send }, { clock });
    const other = worker({ prepareVoid: prepare('other'), send }, { clock });
    await waiting.startDue();
    for (let seconds = 0; seconds < 300; seconds += 20) {
      clock.advance(20 * SECOND);
      await waiting.startDue();
      await other.startDue();
    }
    line.resolve();
    await Promise.all([waiting.finish(), other.finish()]);
    assert.deepEqual(begun, ['waiting']);
    assert.equal((await storage.voids.find(tenant, docUid))?.state, 'registered');
  });
});
