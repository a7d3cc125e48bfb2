import { statSync, writeSync } from 'node:fs';
import { systemRandom } from '../../../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { migrate } from '../../../../src/adapters/sql/migrate.ts';
import { connect } from '../../../../src/adapters/sql/sqlite/connection.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { createStorage } from '../../../../src/adapters/sql/storage.ts';
import { edb, newAuditEntry, newOutbound, record } from '../../../engines/samples.ts';

/**
 * A program of its own for the tests: stores documents at the given path, many at a time, and prints of each, once its
 * transaction has returned, its docUid, its status and the length of the write-ahead log. It never ends by itself. No thread of its own
 * copies a log that is to be `growing`.
 */
const [path = '', tenantText = '', log = ''] = process.argv.slice(2);
const tenant = edb(tenantText);
/** A log that only grows: behind a checkpoint it begins anew. */
const connectForGrowing = (file: string) => connect(file);
const engine = openSqlite(path, systemTimers, log === 'growing' ? connectForGrowing : connect);
await migrate(engine, systemTimers, Date.now());
const storage = createStorage(engine, systemRandom);

async function submitAgainAndAgain(lane: number): Promise<never> {
  for (;;) {
    const { docUid, status } = await storage.transaction(async (tx) => {
      const partnerEdb = lane % 3 === 0 ? null : `408002600000${lane}`;
      const stored = await tx.outbound.add(tenant, newOutbound({ partnerEdb }), Date.now());
      const isCancelled = Math.random() < 0.3;
      if (isCancelled) await tx.outbound.move(tenant, stored.docUid, 10, 'cancel', record(Date.now()));
      await tx.audit.append([newAuditEntry({ tenant, docUid: stored.docUid })]);
      return { docUid: stored.docUid, status: isCancelled ? 60 : 10 };
    });
    // The next transaction begins in a later turn of the event loop, so nothing was written after the commit of this one.
    writeSync(1, `${docUid} ${status} ${statSync(`${path}-wal`).size}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, (_, lane) => submitAgainAndAgain(lane)));
