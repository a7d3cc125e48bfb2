import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemHasher } from '../../src/adapters/platform/platform.ts';
import { interpretErrors } from '../../src/adapters/ujp/answers/interpret-errors.ts';
import { deliverOutbound } from '../../src/application/delivery/deliver-outbound.ts';
import type { Delivery } from '../../src/application/delivery/delivery.ts';
import { retryWaiting } from '../../src/application/delivery/retry-waiting.ts';
import { AuthorityCallError, type CallErrorKind } from '../../src/application/ports/authority.ts';
import type { DeliveryStage } from '../../src/application/ports/storage/delivery-store.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { deliverVoids } from '../../src/application/voiding/deliver-voids.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { onEveryEngine } from '../support/engines.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from './samples.ts';
import { voidNeeds } from './void-needs.ts';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const LEASE = { token: 'first', until: MORNING + 60 * SECOND };
const REASON = { code: 'S-1', name: 'Погрешен купувач', comment: null };
const ANSWER = { accepted: true, qrLink: null, registeredAt: null, message: null, errors: [] };
const UJP = { ...ANSWER, euid: '01a1e35e-c000-7aaa-8bbb-000000000001', statusCode: '01', statusName: null };
const SENT = { docTypeCode: '100', docNumber: '2026-1', docDate: '2026-11-16', docId: 'ID', text: '{}' };
const PAYLOAD = { ...SENT, warnings: [], requestTimestamp: null, sentAt: null };
const CREDENTIAL = { serialNumber: '1', validTo: MORNING + 1_000_000 * SECOND, sealedBy: 'key' };
/** After so many failures the next try would be a day later. */
const FAILURES = 10;

onEveryEngine('an account that is mended when something is claimed already', (database) => {
  async function tenantStoppedAt(time: number): Promise<Edb> {
    const settings = newTenant({ eujpId: 'user' });
    await database().storage.transaction(async (tx) => {
      await tx.tenants.add(settings, time);
      await tx.tenants.stop(settings.edb, 'The account is refused.', time);
    });
    return settings.edb;
  }

  const resume = (edb: Edb) => (tx: Storage) => tx.tenants.resume(edb, MORNING);
  const replaceCertificate = (edb: Edb) => (tx: Storage) =>
    tx.credentials.save({
      ...{ tenant: edb, certificate: 'new', sealedKey: Buffer.from('new'), ...CREDENTIAL },
      changedAt: MORNING,
    });

  function mend(edb: Edb, how: (tx: Storage) => Promise<unknown>): Promise<void> {
    return database().storage.transaction(async (tx) => {
      await how(tx);
      await retryWaiting(tx, edb, ['CREDENTIALS', 'SIGNER-UNAVAILABLE'], MORNING);
    });
  }

  /** It is mended while the request is under way that fails because of the former account. */
  function failingAuthority(kind: CallErrorKind, mended: () => Promise<void>) {
    async function fail(): Promise<never> {
      await mended();
      throw new AuthorityCallError('not with the former account', { kind });
    }
    return { interpret: interpretErrors, prepare: fail, prepareVoid: fail, container: fail };
  }

  async function requestVoid(edb: Edb) {
    return database().storage.transaction(async (tx) => {
      const { docUid } = await addOutboundIn(tx, edb, 40, newOutbound({ holdMs: 0 }), MORNING, { ujp: UJP });
      await tx.voids.request(edb, docUid, REASON, MORNING);
      await tx.voids.claim(edb, LEASE, MORNING, 100);
      const failed = { failures: FAILURES, failureCode: 'CREDENTIALS', failureMessage: 'refused' } as const;
      await tx.voids.settle(edb, docUid, LEASE.token, { state: 'requested', dueAt: MORNING, ...failed });
      return docUid;
    });
  }

  async function deliverVoid(storage: Storage, authority: object): Promise<void> {
    const onFailure = (error: unknown) => assert.fail(error as Error);
    const { needs } = voidNeeds(storage, authority);
    const { startDue, finish } = deliverVoids({ ...needs, newToken: () => LEASE.token, onFailure });
    await startDue();
    await finish();
  }

  test('a void that was to wait for the end of the stop is due', async () => {
    const { storage } = database();
    const edb = await tenantStoppedAt(MORNING);
    const docUid = await requestVoid(edb);
    const tenants = {
      ...storage.tenants,
      async find() {
        const found = await storage.tenants.find(edb);
        await mend(edb, resume(edb));
        return found;
      },
    };
    await deliverVoid({ ...storage, tenants }, {});
    assert.equal((await storage.voids.find(edb, docUid))?.dueAt, MORNING);
  });

  for (const [what, how, kind] of [
    ['that was refused, and whose tenant has been resumed,', resume, 'credentials'],
    ['that was refused with the former certificate', replaceCertificate, 'credentials'],
    ['that could not be signed with the former key', replaceCertificate, 'signing'],
    ['whose request was refused with the former certificate', replaceCertificate, 'request-refused'],
    ['whose request was refused, and whose tenant has been resumed,', resume, 'request-refused'],
  ] as const) {
    test(`a void ${what} is soon tried again, and the try does not count`, async () => {
      const { storage } = database();
      const edb = await tenantStoppedAt(MORNING - DAY);
      const docUid = await requestVoid(edb);
      await deliverVoid(
        storage,
        failingAuthority(kind, () => mend(edb, how(edb))),
      );
      const { dueAt, failures } = (await storage.voids.find(edb, docUid)) ?? assert.fail();
      assert.deepEqual([dueAt, failures], [MORNING + 2 * SECOND, FAILURES]);
    });
  }

  async function claimDocument(edb: Edb, stage: DeliveryStage): Promise<Delivery> {
    return database().storage.transaction(async (tx) => {
      const failed = { dueAt: MORNING, failures: FAILURES, ...(stage === 'container' ? { ujp: UJP } : {}) };
      await addOutboundIn(tx, edb, stage === 'container' ? 40 : 20, newOutbound({ holdMs: 0 }), MORNING, failed);
      const [document = assert.fail()] = await tx.deliveries.claim(edb, stage, LEASE, MORNING, 1);
      const tenant = (await tx.tenants.find(edb)) ?? assert.fail();
      return { tenant, document, token: LEASE.token, claimedAt: MORNING };
    });
  }

  async function deliverDocument(delivery: Delivery, authority: object): Promise<void> {
    const { needs } = voidNeeds(database().storage, authority);
    const reader = { content: async () => '{}' };
    await deliverOutbound({ ...needs, reader, hasher: systemHasher, report: () => undefined } as never)(delivery);
  }

  for (const [what, how, kind, stage] of [
    ['document that could not be signed with the former key', replaceCertificate, 'signing', 'delivery'],
    ['container that was refused to the former certificate', replaceCertificate, 'credentials', 'container'],
    ['container that was refused before its tenant was resumed', resume, 'credentials', 'container'],
  ] as const) {
    test(`a ${what} is soon tried again, and the try does not count`, async () => {
      const { storage } = database();
      const edb = await tenantStoppedAt(MORNING - DAY);
      const delivery = await claimDocument(edb, stage);
      await deliverDocument(
        delivery,
        failingAuthority(kind, () => mend(edb, how(edb))),
      );
      assert.equal(await storage.deliveries.dueAt(edb, delivery.document.docUid), MORNING + 2 * SECOND);
      const [again = assert.fail()] = await storage.transaction((tx) =>
        tx.deliveries.claim(edb, stage, LEASE, MORNING + 2 * SECOND, 1),
      );
      assert.equal(again.failures, FAILURES);
    });
  }

  test('by the authority, which takes a document: tasks that failed go on at once', async () => {
    const { storage } = database();
    const edb = await tenantStoppedAt(MORNING - DAY);
    const dueTasks = async (token: string) => {
      const share = { maxPerName: 100, running: [] };
      const due = await storage.transaction((tx) => tx.recurringTasks.claim({ ...LEASE, token }, MORNING, 100, share));
      return due.filter(({ tenant }) => tenant === edb);
    };
    await storage.transaction((tx) => tx.recurringTasks.schedule(edb, ['lists'], MORNING));
    const [lists = assert.fail()] = await dueTasks('failing');
    const failed = { dueAt: MORNING + DAY / 2, checkpoint: null, failures: 5, failure: 'E1003', quietRuns: 0 };
    await storage.transaction((tx) => tx.recurringTasks.reschedule(lists, 'failing', failed));
    const delivery = await claimDocument(edb, 'delivery');
    await storage.transaction((tx) => tx.deliveries.savePayload(edb, delivery.document.docUid, PAYLOAD));
    await deliverDocument(delivery, {
      interpret: interpretErrors,
      requestTimestamp: async () => '2026-11-16T09:00:00',
      send: async () => ({ ...UJP, status: { code: '01', name: null }, answer: '{}' }),
    });
    assert.equal((await storage.tenants.find(edb))?.stopped, null);
    assert.deepEqual(
      (await dueTasks('again')).map(({ name }) => name),
      ['lists'],
    );
  });
});
