import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { interpretErrors } from '../../../src/adapters/ujp/answers/interpret-errors.ts';
import { deliverOutbound } from '../../../src/application/delivery/deliver-outbound.ts';
import type { DeliveryEvent, DeliveryNeeds } from '../../../src/application/delivery/delivery.ts';
import { CommitUnknown } from '../../../src/application/errors/commit-unknown.ts';
import { DatabaseDamaged } from '../../../src/application/errors/damage.ts';
import { KeyUnopened } from '../../../src/application/errors/key-unopened.ts';
import { requeueOutbound } from '../../../src/application/outbound/requeue-outbound.ts';
import { type Authority, AuthorityCallError } from '../../../src/application/ports/authority.ts';
import type { SerialisedContent } from '../../../src/application/ports/document-reader.ts';
import type { Storage } from '../../../src/application/ports/storage/storage.ts';
import { MORNING, newOutbound, newTenant, recordTest } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

const SECOND = 1_000;

describe('a delivery that comes to no end', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.close());

  test('is left to another worker in seconds, uncounted, when the key of this one does not open', async () => {
    const { storage } = database;
    const settings = newTenant({ eujpId: 'user' });
    const { docUid } = await storage.transaction(async (tx) => {
      await tx.tenants.add(settings, MORNING);
      return tx.outbound.add(settings.edb, newOutbound({ holdMs: 0 }), MORNING);
    });
    const unopened = new KeyUnopened(settings.edb, new Error('sealed with another key'));
    const failed = new AuthorityCallError('no key', { kind: 'signing', cause: unopened });
    const authority = { prepare: () => Promise.reject(failed), interpret: interpretErrors } as unknown as Authority;
    const unused = {} as Pick<DeliveryNeeds, 'hasher' | 'random'>;
    const clock = clockAt();
    const reader = { content: async () => ({}) as SerialisedContent };
    const report = () => undefined;
    const deliver = deliverOutbound({
      ...unused,
      ...{ storage, authority, reader, clock, leaseMs: 60 * SECOND, outcomeWindowMs: 0, report },
    });
    // More often than a document is tried when something is wrong with it.
    for (let time = 0; time < 20; time += 1) {
      const now = clock.now();
      const lease = { token: `worker ${time}`, until: now + 60 * SECOND };
      const claim = (tx: Storage) => tx.deliveries.claim(settings.edb, 'delivery', lease, now, 1);
      const [document = assert.fail()] = await storage.transaction(claim);
      assert.equal(document.failures, 0);
      const tenant = (await storage.tenants.find(settings.edb)) ?? assert.fail();
      assert.equal(tenant.stopped, null);
      await deliver({ tenant, document, token: lease.token, claimedAt: now });
      clock.advance(2 * SECOND);
    }
    assert.equal((await storage.outbound.find(settings.edb, docUid))?.status, 20);
  });

  describe('for a reason that nobody foresaw', () => {
    const UNFORESEEN = new Error('the thread died');
    const PAUSE_MS = 300 * SECOND;

    /** A document on which the service fails whenever it is delivered; how often that happened until it was left alone. */
    async function failingDocument(error: Error = UNFORESEEN) {
      const { storage } = database;
      const { edb, docUid } = await storage.transaction(async (tx) => {
        const { edb } = newTenant();
        await tx.tenants.add({ ...newTenant(), edb }, MORNING);
        return { edb, docUid: (await tx.outbound.add(edb, newOutbound({ holdMs: 0 }), MORNING)).docUid };
      });
      const clock = clockAt();
      const events: DeliveryEvent[] = [];
      const reader = { content: () => Promise.reject(error) };
      const unused = {} as Pick<DeliveryNeeds, 'authority' | 'hasher' | 'random'>;
      const report = (event: DeliveryEvent) => void events.push(event);
      const needs = { ...unused, storage, reader, clock, leaseMs: 60 * SECOND, outcomeWindowMs: 0, report };
      const tenant = (await storage.tenants.find(edb)) ?? assert.fail();

      async function deliverUntilLeftAlone(most = 100): Promise<number> {
        for (let failures = 0; failures < most; failures += 1) {
          const lease = { token: `worker ${failures}`, until: clock.now() + 60 * SECOND };
          const claim = (tx: Storage) => tx.deliveries.claim(edb, 'delivery', lease, clock.now(), 1);
          const [document] = await storage.transaction(claim);
          if (document === undefined) return failures;
          const delivery = { tenant, document, token: lease.token, claimedAt: clock.now() };
          await assert.rejects(deliverOutbound(needs)(delivery), error);
          clock.advance(PAUSE_MS);
        }
        return most;
      }
      return { edb, docUid, clock, events, deliverUntilLeftAlone };
    }

    test('ends in 55 after five times, with a code of the catalogue and every attempt on record', async () => {
      const { storage } = database;
      const { edb, docUid, events, deliverUntilLeftAlone } = await failingDocument();
      assert.equal(await deliverUntilLeftAlone(), 5);
      const document = await storage.outbound.find(edb, docUid);
      assert.deepEqual([document?.status, document?.failureCode], [55, 'SERVICE-ERROR']);
      assert.match(document?.failureMessage ?? '', /failed on this document 5 times/u);
      assert.deepEqual(
        events.map(({ outcome, failureCode }) => [outcome, failureCode]),
        [['failed', 'SERVICE-ERROR']],
      );
      const attempts = await storage.deliveries.attempts(edb, docUid);
      assert.deepEqual(
        attempts.map(({ act, outcome, failureCode, message }) => [act, outcome, failureCode, message]),
        Array.from({ length: 5 }, () => ['prepare', 'failed', 'SERVICE-ERROR', UNFORESEEN.message]),
      );
    });

    test('is not ended by the database: a commit whose outcome is not known does not count', async () => {
      const { edb, docUid, deliverUntilLeftAlone } = await failingDocument(new CommitUnknown('The connection broke.'));
      assert.equal(await deliverUntilLeftAlone(6), 6);
      assert.equal((await database.storage.outbound.find(edb, docUid))?.status, 10);
      assert.deepEqual(await database.storage.deliveries.attempts(edb, docUid), []);
    });

    test('is not ended by a damaged page, which says nothing about the document: every document may need it', async () => {
      const { edb, docUid, deliverUntilLeftAlone } = await failingDocument(new DatabaseDamaged('It cannot be read.'));
      assert.equal(await deliverUntilLeftAlone(6), 6);
      assert.equal((await database.storage.outbound.find(edb, docUid))?.status, 10);
    });

    test('has as many tries again when an operator requeues it', async () => {
      const { storage } = database;
      const { edb, docUid, clock, deliverUntilLeftAlone } = await failingDocument();
      await deliverUntilLeftAlone();
      assert.equal(await requeueOutbound({ storage, clock, record: recordTest })(edb, docUid), 'requeued');
      assert.equal(await deliverUntilLeftAlone(), 5);
      assert.equal((await storage.outbound.find(edb, docUid))?.status, 55);
    });
  });
});
