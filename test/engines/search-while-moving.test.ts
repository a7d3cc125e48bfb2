import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import type { Engine, Sql } from '../../src/adapters/sql/engine.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { searchDocuments } from '../../src/application/search/search-documents.ts';
import { onEveryEngine } from '../support/engines.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant, record } from './samples.ts';

/** The database as a program sees it to whose statements something happens in between: they come one after the other here. */
function interrupted(engine: Engine, afterFirst: () => Promise<void>): Engine {
  let last: Promise<unknown> = Promise.resolve();
  let happens: (() => Promise<void>) | null = afterFirst;
  const all =
    (sql: Sql): Sql['all'] =>
    async (text, parameters) => {
      const found = last.then(() => sql.all<never>(text, parameters));
      last = found.then(async () => {
        const happensNow = happens;
        happens = null;
        await happensNow?.();
      });
      return found;
    };
  return {
    ...engine,
    all: all(engine),
    snapshot: (work, span) => engine.snapshot((sql) => work({ ...sql, all: all(sql) }), span),
  };
}

onEveryEngine('a search for documents in several statuses', (database) => {
  for (const statuses of [
    [10, 20],
    [20, 10],
  ] as const) {
    test(`finds a document that moves meanwhile once (${statuses.join(' and ')})`, async () => {
      const { engine, storage } = database();
      const tenant = newTenant();
      const { edb } = tenant;
      const docUid = await storage.transaction(async (tx) => {
        await tx.tenants.add(tenant, MORNING);
        return (await addOutboundIn(tx, edb, 10, newOutbound(), MORNING)).docUid;
      });
      const move = async () => {
        assert.ok(await storage.transaction((tx) => tx.outbound.move(edb, docUid, 10, 'prepare', record(MORNING))));
      };
      const watched = createStorage(interrupted(engine, move), systemRandom);
      const search = searchDocuments({ storage: watched, clock: { now: () => MORNING } });
      const { documents } = await search.outbound({ tenant: edb, statuses }, 50);
      assert.deepEqual(
        documents.map((found) => found.docUid),
        [docUid],
      );
    });
  }
});
