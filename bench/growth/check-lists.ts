import assert from 'node:assert/strict';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import type { OutboundFilter } from '../../src/application/ports/storage/outbound-store.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { OUTBOUND_STATUSES, type OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import { assertListIsTrue } from '../../test/engines/recount.ts';
import { OTHERS_FROM, TENANT, timeOf } from './shape.ts';

const PAGE_SIZE = 100;

type Group = { readonly status: OutboundStatus; readonly partner_edb: string | null; readonly documents: number };

/** What the lists say of the seeded documents, against a naive count of them: the figures are worth nothing if it is wrong. */
export async function assertListsAreTrue(engine: Engine, storage: Storage, documents: number): Promise<void> {
  await assertCounts(engine, storage);
  await assertPages(engine, storage, documents);
  for (const other of [0, 50, 99]) await assertListIsTrue(engine, String(OTHERS_FROM + 2 * other), 'outbound');
}

async function assertCounts(engine: Engine, storage: Storage): Promise<void> {
  const groups = await engine.all<Group>(
    'select status, partner_edb, count(*) as documents from outbound where tenant = $1 group by status, partner_edb',
    [TENANT],
  );
  const partners = [null, ...new Set(groups.flatMap(({ partner_edb }) => partner_edb ?? []))];
  for (const partnerEdb of partners) {
    for (const statuses of [null, ...OUTBOUND_STATUSES.map((status) => [status])]) {
      const expected = groups
        .filter(({ partner_edb }) => partnerEdb === null || partner_edb === partnerEdb)
        .filter(({ status }) => statuses === null || statuses.includes(status))
        .reduce((sum, group) => sum + group.documents, 0);
      const filter = { created: { from: null, to: null }, statuses, partnerEdb };
      const { totalCount } = await storage.outbound.list(TENANT, filter, { page: 1, pageSize: 1 });
      assert.equal(totalCount, expected, JSON.stringify(filter));
    }
  }
}

/** Pages in the middle of a list, with dates and a status and without. */
async function assertPages(engine: Engine, storage: Storage, documents: number): Promise<void> {
  const created = { from: timeOf(Math.floor(documents / 4)), to: timeOf(Math.floor(documents / 2)) };
  const filters: readonly OutboundFilter[] = [
    { created, statuses: null, partnerEdb: null },
    { created, statuses: [40], partnerEdb: null },
    { created, statuses: [10, 55], partnerEdb: null },
  ];
  for (const filter of filters) {
    const statuses = (filter.statuses ?? OUTBOUND_STATUSES).join();
    const chosen = `tenant = $1 and created_at between $2 and $3 and status in (${statuses})`;
    const range = [TENANT, created.from, created.to];
    const row = await engine.get<{ count: number }>(`select count(*) as count from outbound where ${chosen}`, range);
    const page = Math.ceil((row?.count ?? 0) / PAGE_SIZE / 2);
    const rows = await engine.all<{ id: string }>(
      `select id from outbound where ${chosen} order by id desc limit ${PAGE_SIZE} offset $4`,
      [...range, (page - 1) * PAGE_SIZE],
    );
    const { items, totalCount } = await storage.outbound.list(TENANT, filter, { page, pageSize: PAGE_SIZE });
    assert.deepEqual([totalCount, ...items.map(({ docUid }) => docUid)], [row?.count, ...rows.map(({ id }) => id)]);
  }
}
