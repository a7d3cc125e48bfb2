import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { BLOCK_SIZE } from '../../src/adapters/sql/list-index/list-index.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import type { OutboundFilter } from '../../src/application/ports/storage/outbound-store.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { onEveryEngine } from '../support/engines.ts';
import { addManyOutbound } from './add-many-outbound.ts';
import { ANY_OUTBOUND, MORNING, newEdb, newOutbound, record } from './samples.ts';

const WAITING: OutboundFilter = { ...ANY_OUTBOUND, statuses: [20] };
const DOCUMENTS = BLOCK_SIZE + 80;

/** The storage of a program to which something happens before its nth statement outside a transaction. */
function interrupted(engine: Engine, before: number, interruption: () => Promise<void>) {
  let statements = 0;
  async function next(): Promise<void> {
    if (statements === before) await interruption();
    statements += 1;
  }
  const watched: Engine = {
    ...engine,
    async all(text, parameters) {
      await next();
      return engine.all(text, parameters);
    },
    async get(text, parameters) {
      await next();
      return engine.get(text, parameters);
    },
  };
  return { storage: createStorage(watched, systemRandom), count: () => statements };
}

onEveryEngine('a list that is read while documents move', (database) => {
  const tenant = newEdb();
  const oldest: DocUid[] = [];

  /** More than a block of documents that wait for their turn. */
  async function fill(): Promise<void> {
    const added = Array.from({ length: DOCUMENTS }, (_, index) => {
      const document = newOutbound({ partnerEdb: null });
      return { document, at: MORNING + index, status: 20 } as const;
    });
    const stored = await addManyOutbound(database().engine, tenant, added);
    oldest.push(...stored.slice(0, 100).map(({ docUid }) => docUid));
  }

  async function moveOldest(from: 20 | 30): Promise<void> {
    await database().storage.transaction(async ({ outbound }) => {
      for (const docUid of oldest) {
        assert.ok(await outbound.move(tenant, docUid, from, from === 20 ? 'send' : 'try-again', record(MORNING)));
      }
    });
  }

  const lastPage = (storage: Storage) => storage.outbound.list(tenant, WAITING, { page: 110, pageSize: 10 });

  test('is answered, and holds no document in a status that was not asked for, whenever the move comes', async () => {
    await fill();
    const { storage, count } = interrupted(database().engine, -1, () => Promise.resolve());
    assert.equal((await lastPage(storage)).items.length, 10);
    for (let statement = 0; statement < count(); statement += 1) {
      const { items, totalCount } = await lastPage(
        interrupted(database().engine, statement, () => moveOldest(20)).storage,
      );
      assert.ok(items.length <= 10);
      assert.ok(totalCount === DOCUMENTS || totalCount === DOCUMENTS - 100, `before statement ${statement}`);
      const strangers = items.filter(({ status }) => status !== 20);
      assert.deepEqual(strangers, [], `the move came before statement ${statement}`);
      await moveOldest(30);
    }
  });
});
