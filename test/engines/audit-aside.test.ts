import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { FoundEntry } from '../../src/application/ports/storage/audit-seal-store.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { onEveryEngine } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { trailOf } from './audit-trails.ts';
import { newAuditEntry, newEdb } from './samples.ts';

/** Longer than a list takes on the busiest machine: one that waits for the end of the verification never comes. */
const NEVER_MS = 60_000;
const EVERYTHING = { created: { from: null, to: null }, statuses: null, partnerEdb: null };

/** Tells how many entries each statement of a verification reads. */
function watched(storage: Storage, onRead: (entries: number) => void): Storage {
  async function told(reading: Promise<readonly FoundEntry[]>) {
    const found = await reading;
    onRead(found.length);
    return found;
  }
  const { auditSeals } = storage;
  return {
    ...storage,
    auditSeals: {
      ...auditSeals,
      snapshot: (work) =>
        auditSeals.snapshot((frozen) =>
          work({
            ...frozen,
            entriesWithin: (after, upTo) => told(frozen.entriesWithin(after, upTo)),
            waiting: (after, limit) => told(frozen.waiting(after, limit)),
          }),
        ),
    },
  };
}

onEveryEngine('the verification of the audit trail beside other work', (database) => {
  test('others have their turn after a thousand entries at most, and their lists do not wait for its end', async () => {
    const { storage, engine } = database();
    const tenant = newEdb();
    let sinceTurn = 0;
    let most = 0;
    let lists = 0;
    async function nextTurn(): Promise<void> {
      sinceTurn = 0;
      const listed = storage.outbound.list(tenant, EVERYTHING, { page: 1, pageSize: 1 });
      lists += await Promise.race([listed.then(() => 1), pause(NEVER_MS, 0, { ref: false })]);
    }
    const seen = watched(storage, (entries) => {
      sinceTurn += entries;
      most = Math.max(most, sinceTurn);
    });
    const trail = trailOf({ storage: seen, engine }, clockAt(), nextTurn);
    const entries = Array.from({ length: 2_500 }, (_, index) => newAuditEntry({ tenant, requestId: `aside ${index}` }));
    await trail.append(...entries);
    await trail.sealNow();
    await trail.append(newAuditEntry({ tenant, requestId: 'aside, waiting' }));
    assert.equal((await trail.check()).isIntact, true);
    assert.equal(most, 1_000);
    assert.ok(lists >= 3, `${lists} lists were read meanwhile`);
  });
});
