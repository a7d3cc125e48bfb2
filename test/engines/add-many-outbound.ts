import { systemRandom } from '../../src/adapters/platform/platform.ts';
import type { Engine, Sql } from '../../src/adapters/sql/engine.ts';
import { newestOf, readListHeads } from '../../src/adapters/sql/list-index/list-index.ts';
import { storeOutbound } from '../../src/adapters/sql/stores/outbound/add-outbound.ts';
import { moveOutbound } from '../../src/adapters/sql/stores/outbound/outbound-move.ts';
import type { StoredDocument } from '../../src/application/ports/storage/lists.ts';
import type { NewOutbound } from '../../src/application/ports/storage/outbound-store.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { docUidTime, nextDocUid } from '../../src/domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import { record, WAY_TO } from './samples.ts';

/** A document with the time at which it is added and the status that it is brought to. */
export type OutboundToAdd = {
  readonly document: NewOutbound;
  readonly at: number;
  readonly status: OutboundStatus;
};

/** PostgreSQL keeps every version of a counter until the transaction is over, and reads all of them at the next change. */
const AT_A_TIME = 100;

/** Adds thousands of documents, the oldest first, as groups of submissions are stored: with the statements of one for a hundred. */
export async function addManyOutbound(
  engine: Engine,
  tenant: Edb,
  added: readonly OutboundToAdd[],
): Promise<readonly StoredDocument[]> {
  const stored: StoredDocument[] = [];
  for (let first = 0; first < added.length; first += AT_A_TIME) {
    const part = added.slice(first, first + AT_A_TIME);
    stored.push(...(await engine.transaction((sql) => addTogether(sql, tenant, part))));
  }
  return stored;
}

async function addTogether(sql: Sql, tenant: Edb, added: readonly OutboundToAdd[]): Promise<readonly StoredDocument[]> {
  const places = added.map(({ document }) => ({ tenant, partner: document.partnerEdb }));
  const heads = await readListHeads(sql, 'outbound', places);
  let last = newestOf(heads, tenant, 'outbound');
  const placed = added.map(({ document, at, status }) => {
    const docUid = nextDocUid(at, last, systemRandom.bytes(10));
    last = docUid;
    return { tenant, document, docUid, at: docUidTime(docUid), status };
  });
  await storeOutbound(sql, heads, placed, Math.max(...added.map(({ at }) => at)));
  const moves = placed
    .filter(({ status }) => WAY_TO[status].length > 0)
    .map(({ docUid, at, status }) => moveOutbound(sql, tenant, docUid, 10, WAY_TO[status], record(at)));
  if ((await Promise.all(moves)).includes(false)) throw new Error('Not moved.');
  return placed.map(({ docUid, at }) => ({ docUid, at }));
}
