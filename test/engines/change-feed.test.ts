import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { onEveryEngine } from '../support/engines.ts';
import { type Random, withRandom } from '../support/seeds.ts';
import { feedMirror } from './feed-mirror.ts';
import { anyOperation, type Known } from './feed-operations.ts';
import { fileOf, MORNING, newEdb, newInbound, newOutbound, record } from './samples.ts';

const INTERLEAVINGS = process.env['TEST_LONG'] === '1' ? 1_000 : 40;
/** Of different tenants: they share commits on SQLite, and wait for the same connections on PostgreSQL. */
const AT_ONCE = 20;
const WRITERS = 3;
const OPERATIONS = 5;

onEveryEngine('the change feed', (database) => {
  test('has an entry for each move, later status, container, arrival, acknowledgement and change of warnings', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const mirror = feedMirror(tenant);
    const { docUid } = await storage.transaction((tx) => tx.outbound.add(tenant, newOutbound(), MORNING));
    const arrival = await storage.transaction((tx) => tx.inbound.add(tenant, newInbound(), MORNING));
    await storage.transaction(async ({ outbound, deliveries }) => {
      await outbound.move(tenant, docUid, 10, ['prepare', 'send'], record(MORNING + 1));
      const warnings = [{ code: 'LINE-LEFT-OUT', text: 'x', path: null } as const];
      const of = { docTypeCode: '1', docNumber: '1', docDate: '1', docId: '1', text: '{}' };
      await deliveries.savePayload(tenant, docUid, { ...of, warnings, requestTimestamp: null, sentAt: null });
    });
    const ujp = { accepted: true, euid: 'E-1', qrLink: null, registeredAt: null, message: null, errors: [] };
    await storage.transaction((tx) =>
      tx.outbound.move(
        tenant,
        docUid,
        30,
        'accept',
        record(MORNING + 2, { ujp: { ...ujp, statusCode: '01', statusName: null } }),
      ),
    );
    await storage.transaction((tx) => tx.inbound.acknowledge(tenant, arrival.stored.docUid, MORNING + 3));
    await storage.transaction((tx) => tx.deliveries.storeContainer(tenant, docUid, fileOf('PK'), MORNING + 4));
    const rejected = {
      euid: 'E-1',
      status: { code: '05', name: 'Одбиена' },
      from: null,
      at: MORNING + 5,
      reason: 'no',
    };
    await storage.transaction((tx) => tx.deliveries.recordAuthorityStatus(tenant, rejected, MORNING + 6));
    await mirror.readOn(storage);
    assert.deepEqual(
      mirror
        .entries()
        .map((entry) => [
          entry.number,
          entry.at - MORNING,
          entry.kind,
          entry.direction === 'outbound' ? [entry.status, entry.failureCode, entry.ujp?.statusCode ?? null] : null,
        ])
        .toSorted(([a = 0], [b = 0]) => Number(a) - Number(b)),
      [
        [1, 0, 'status', [10, null, null]],
        [2, 0, 'arrived', null],
        [3, 1, 'status', [20, null, null]],
        [4, 1, 'status', [30, null, null]],
        [5, 1, 'warnings', [30, null, null]],
        [6, 2, 'status', [40, null, '01']],
        [7, 3, 'acknowledged', null],
        [8, 4, 'container', [40, null, null]],
        [9, 6, 'authority-status', [40, null, '05']],
        [10, 5, 'status', [40, 'UJP-REJECTED-BY-BUYER', '05']],
      ],
    );
    await mirror.assertTrue(storage);
    await storage.transaction((tx) => tx.archive.markArchived(tenant, 'outbound', docUid, MORNING + 7));
    await mirror.readOn(storage);
    assert.equal(mirror.entries().length, 10, 'to archive a document changes nothing for its reader');
  });

  test('writes that are rolled back leave neither an entry nor a gap, and tenants are numbered each for itself', async () => {
    const { storage } = database();
    const [one, other] = [newEdb(), newEdb()];
    const add = (tenant: Edb, fails: boolean) =>
      storage
        .transaction(async (tx) => {
          await tx.outbound.add(tenant, newOutbound(), MORNING);
          if (fails) throw new Error('undone');
        })
        .catch(() => undefined);
    await Promise.all(Array.from({ length: 12 }, (_, index) => add(index % 2 === 0 ? one : other, index % 3 === 0)));
    for (const tenant of [one, other]) {
      const numbers = (await storage.changes.read(tenant, null, 100)).map(({ number }) => number);
      assert.deepEqual(numbers, [1, 2, 3, 4]);
    }
    const last = await storage.changes.lastNumbers([one, other, newEdb()]);
    assert.deepEqual([...last.keys()], [], 'of tenants that are not on record nothing is said');
  });

  test(`a reader beside two programs mirrors every document in ${INTERLEAVINGS} random interleavings`, async () => {
    const programs: readonly Storage[] = [database().storage, (await database().openAgain()).storage];
    const reader = (await database().openAgain()).storage;
    await withRandom(async (random) => {
      for (let done = 0; done < INTERLEAVINGS; done += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, () => interleave(programs, reader, random)));
      }
    });
  });
});

/** Several programs write for one tenant while its reader reads on. */
async function interleave(programs: readonly Storage[], reader: Storage, random: Random): Promise<void> {
  const tenant = newEdb();
  const known: Known = { tenant, outbound: [], inbound: [] };
  await programs[0]?.transaction(async (tx) => {
    for (let count = 0; count < 2; count += 1) {
      known.outbound.push((await tx.outbound.add(tenant, newOutbound(), MORNING)).docUid);
    }
    const arrival = newInbound();
    known.inbound.push([(await tx.inbound.add(tenant, arrival, MORNING)).stored.docUid, arrival.deduplicationKey]);
  });
  const mirror = feedMirror(tenant);
  let isOver = false;
  const writing = Array.from({ length: WRITERS }, async (_, index) => {
    for (let count = 0; count < OPERATIONS; count += 1) {
      await anyOperation(programs[index % programs.length] ?? assert.fail(), known, random);
    }
  });
  const written = Promise.all(writing).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await mirror.readOn(reader);
    // On SQLite reading alone never lets anybody else have a turn.
    await systemTimers.nextTurn();
  }
  await written;
  await mirror.readOn(reader);
  await mirror.assertTrue(reader);
}
