import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { systemClock, systemHasher } from '../../src/adapters/platform/platform.ts';
import { DATABASE_FILE, openFoundation } from '../../src/app/foundation.ts';
import { sealAuditTrail } from '../../src/application/audit/seal-audit-trail.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { readConfig } from '../../src/config.ts';
import {
  addOutboundIn,
  fileOf,
  MORNING,
  newAuditEntry,
  newInbound,
  newKey,
  newOutbound,
  newTenant,
} from '../engines/samples.ts';
import { placeMigratedSqlite } from '../support/migrated-sqlite.ts';
import { temporaryFolder } from '../support/process.ts';

/** The largest document that the service accepts by default, and more than what is copied at once. */
export const LARGEST_BYTES = 10 * 1_048_576;
const SMALL_BYTES = 10_000;

type Amount = {
  readonly auditEntries?: number;
  /** Of one document. Every byte is copied, hashed and compared again and again: most of the time that these tests take. */
  readonly largestBytes?: number;
};

/** The folder of an embedded database with something in every table there is, whichever migration made it. */
export async function filledStore({ auditEntries = 10, largestBytes = SMALL_BYTES }: Amount = {}): Promise<string> {
  const dataDir = temporaryFolder();
  await placeMigratedSqlite(join(dataDir, DATABASE_FILE));
  const { engine, storage } = await openFoundation(readConfig({ DATA_DIR: dataDir }));
  const tenants = [newTenant({ name: 'Алфа "1" \\ 😀' }), newTenant()];
  for (const [index, tenant] of tenants.entries()) {
    const ublBytes = index === 0 ? largestBytes : SMALL_BYTES;
    await storage.transaction(async (tx) => {
      await tx.tenants.add(tenant, MORNING);
      await tx.keys.add(newKey(tenant.edb), randomBytes(32));
      await tx.outbound.add(tenant.edb, newOutbound({ ubl: fileOf(randomBytes(ublBytes)) }), MORNING);
      await addOutboundIn(tx, tenant.edb, 40, newOutbound({ pdf: fileOf(randomBytes(1_000)) }), MORNING);
      await tx.inbound.add(tenant.edb, newInbound(), MORNING);
      await tx.audit.append([newAuditEntry({ durationMs: 0.1 + 0.2, path: '/with\0zero' })]);
    });
  }
  await appendAudit(storage, auditEntries);
  await sealAuditTrail({ storage, hasher: systemHasher, clock: systemClock }).sealNow();
  await engine.close();
  const database = new DatabaseSync(join(dataDir, 'dostava.sqlite'));
  for (const table of tablesOf(database)) fillIfEmpty(database, table, tenants[0]?.edb ?? '');
  database.close();
  return dataDir;
}

/** Every table with content, by the test's own look at the database. */
export function tablesOf(database: DatabaseSync): readonly string[] {
  const rows = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  const about = ['schema_migration', 'store_copy', 'delivery_hold'];
  return rows.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_') && !about.includes(name));
}

export function columnsOf(database: DatabaseSync, table: string): readonly string[] {
  return database
    .prepare(`pragma table_info(${table})`)
    .all()
    .map(({ name }) => String(name));
}

async function appendAudit(storage: Storage, count: number): Promise<void> {
  const batch = 1_000;
  for (let first = 0; first < count; first += batch) {
    const entries = Array.from({ length: Math.min(batch, count - first) }, (_, index) =>
      newAuditEntry({ at: first + index, durationMs: (first + index) / 7 }),
    );
    await storage.transaction((tx) => tx.audit.append(entries));
  }
}

/** Tables that the samples know nothing of get a row made from their columns. */
function fillIfEmpty(database: DatabaseSync, table: string, tenant: string): void {
  if (database.prepare(`select 1 from ${table} limit 1`).get() !== undefined) return;
  const columns = database.prepare(`pragma table_info(${table})`).all();
  const references = database.prepare(`pragma foreign_key_list(${table})`).all();
  const values = columns.map(({ name, type }) => {
    if (name === 'tenant') return tenant;
    const reference = references.find(({ from }) => from === name);
    // Tables come in the order of their names; what is referred to has been filled.
    if (reference !== undefined) return referredTo(database, String(reference['table']), String(reference['to']));
    if (name === 'environment') return 'test';
    // Refers to the name that an operator is given here.
    if (name === 'operator') return 'some name';
    // Any bytes would be the checksum of something else.
    if (name === 'text_sha256') return null;
    if (type === 'bytea') return randomBytes(8);
    return String(type).toLowerCase() === 'text' ? `some ${String(name)}` : 7;
  });
  const places = columns.map(() => '?').join(', ');
  database.prepare(`insert into ${table} values (${places})`).run(...values);
}

function referredTo(database: DatabaseSync, table: string, column: string): SQLOutputValue {
  const row = database.prepare(`select ${column} as value from ${table} limit 1`).get();
  return row?.['value'] ?? null;
}
