import { ContentInUse } from '../../../application/errors/operator-error.ts';
import type { Timers } from '../../../application/ports/platform.ts';
import type { ContentSweep, IsInArchive, OnRemoved } from '../../../application/ports/storage/archive-store.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import { type Engine, LockNotFree, type Sql } from '../engine.ts';
import { STORED_LONG_AGO } from './content.ts';
import { windows } from './rows-by-doc-uid.ts';

type Reference = { readonly id: DocUid; readonly created_at: number; readonly archived_at: number | null } & Readonly<
  Record<string, Uint8Array | string | number | null>
>;

const SIDES = [
  { table: 'outbound', created: 'created_at', representations: ['ubl', 'pdf', 'ujp'] },
  { table: 'inbound', created: 'received_at', representations: ['original', 'ubl', 'pdf'] },
] as const;
type Side = (typeof SIDES)[number];

/** Candidates examined together; bounds the memory. Each batch costs a scan of all the tenant's documents. */
const MAX_CANDIDATES = 100_000;
/** Files removed in one transaction; few, because submissions wait for it. */
const CHUNK = 100;

const PLACEHOLDERS = Array.from({ length: CHUNK }, (_, index) => `$${index + 2}`).join(', ');
const FIND_STORED = `select sha256 from content where tenant = $1 and sha256 in (${PLACEHOLDERS})`;

/**
 * A submission whose file is stored already refers to it, invisibly to other transactions until it is committed. So files are
 * removed under a table lock: it waits for transactions that store files, and later ones wait for it.
 */
const LOCK_CONTENT = '/*postgres set local lock_timeout = 5000; lock table content in exclusive mode */';

/** What was stored ahead stays for any document that refers to it. */
const IN_DATABASE_ALONE: IsInArchive = async () => false;

type Removal = {
  readonly isInArchive: IsInArchive;
  /** In the transaction that removes the file. */
  readonly mayRemove?: (sql: Sql, hash: string) => Promise<boolean>;
  readonly onRemoved: OnRemoved;
};

/** The embedded database answers without a pause: between two pages everything else has its turn. */
type Source = { readonly engine: Engine; readonly nextTurn: Timers['nextTurn'] };

export function contentSweep(engine: Engine, nextTurn: Timers['nextTurn']): ContentSweep {
  const source = { engine, nextTurn };
  return {
    async sweep(tenant, isInArchive, onRemoved) {
      for (const side of SIDES) await sweepSide(source, tenant, side, { isInArchive, onRemoved });
    },
    sweepStoredAhead: (keptMs) => sweepStoredAhead(source, keptMs),
  };
}

/**
 * Whoever stores the same file again announces it anew, and whoever refers to it takes the announcement back: a file is removed
 * only with its old announcement, in one transaction.
 */
async function sweepStoredAhead(source: Source, keptMs: number): Promise<number> {
  const { engine } = source;
  const announced = await engine.all<{ tenant: Edb; sha256: Uint8Array }>(
    `select tenant, sha256 from stored_ahead where ${STORED_LONG_AGO} order by stored_at limit $2`,
    [keptMs, MAX_CANDIDATES],
  );
  const withdraw = (sql: Sql, tenant: Edb, hash: string) =>
    sql.run(`delete from stored_ahead where ${STORED_LONG_AGO} and tenant = $2 and sha256 = $3`, [
      keptMs,
      tenant,
      Buffer.from(hash, 'hex'),
    ]);
  let removed = 0;
  const onRemoved = (files: number) => {
    removed += files;
  };
  for (const [tenant, rows] of Map.groupBy(announced, (row) => row.tenant)) {
    const hashes = rows.map(({ sha256 }) => Buffer.from(sha256).toString('hex'));
    const mayRemove = async (sql: Sql, hash: string) => (await withdraw(sql, tenant, hash)) === 1;
    await removeUnused(source, tenant, new Set(hashes), { isInArchive: IN_DATABASE_ALONE, mayRemove, onRemoved });
    // What is left of them is in use.
    await engine.transaction(async (sql) => {
      for (const hash of hashes) await withdraw(sql, tenant, hash);
    });
  }
  return removed;
}

async function sweepSide(source: Source, tenant: Edb, side: Side, removal: Removal): Promise<void> {
  let candidates = new Set<string>();
  for await (const page of pagesOf(source, tenant, side, 'archived_at is not null')) {
    for (const hash of await storedAmong(source.engine, tenant, hashesOf(side, page))) candidates.add(hash);
    if (candidates.size < MAX_CANDIDATES) continue;
    await removeUnused(source, tenant, candidates, removal);
    candidates = new Set();
  }
  await removeUnused(source, tenant, candidates, removal);
}

async function removeUnused(
  source: Source,
  tenant: Edb,
  candidates: Set<string>,
  { isInArchive, mayRemove = async () => true, onRemoved }: Removal,
): Promise<void> {
  const { engine } = source;
  if (candidates.size === 0) return;
  // Identifiers grow, so documents added from now on come after these: only they have to be read again under the lock.
  const newestIds = await Promise.all(SIDES.map(({ table }) => newestId(engine, tenant, table)));
  for (const side of SIDES) await keepUsed(source, tenant, side, candidates, isInArchive);
  const unused = [...candidates];
  for (let first = 0; first < unused.length; first += CHUNK) {
    const chunk = unused.slice(first, first + CHUNK);
    const removed = await engine.transaction(async (sql) => {
      await lockContent(engine, sql);
      const referenced = new Set<string>();
      for (const [index, side] of SIDES.entries()) {
        for await (const page of references(sql, tenant, side, 'archived_at is null', newestIds[index])) {
          for (const hash of hashesOf(side, page)) referenced.add(hash);
        }
      }
      const hashes = chunk.filter((hash) => !referenced.has(hash));
      const text = 'delete from content where tenant = $1 and sha256 = $2';
      const changes = await Promise.all(
        hashes.map(async (hash) =>
          (await mayRemove(sql, hash)) ? sql.run(text, [tenant, Buffer.from(hash, 'hex')]) : 0,
        ),
      );
      return changes.reduce((sum, count) => sum + count, 0);
    });
    onRemoved(removed);
  }
}

/** It is not asked for again at once: whoever stores a file waits behind us. */
async function lockContent(engine: Engine, sql: Sql): Promise<void> {
  await engine.script(sql, LOCK_CONTENT).catch((error: unknown) => {
    if (!(error instanceof LockNotFree)) throw error;
    throw new ContentInUse(
      'refused',
      'The table of files (content) was in use by others for more than five seconds: not all files that are no longer needed in the database were removed from it. The next run removes them.',
    );
  });
}

/**
 * Takes files from the candidates that are needed here: those of documents that are not archived, and those that have come to a
 * document after it was archived, as the container of one that was believed to be rejected.
 */
async function keepUsed(source: Source, tenant: Edb, side: Side, candidates: Set<string>, isInArchive: IsInArchive) {
  for await (const page of pagesOf(source, tenant, side, 'true')) {
    for (const file of filesOf(side, page)) {
      if (!candidates.has(file.sha256)) continue;
      const { isArchived, ...reference } = file;
      const isUsed = !isArchived || !(await isInArchive({ tenant, side: side.table, ...reference }));
      if (isUsed) candidates.delete(file.sha256);
    }
  }
}

async function newestId(sql: Sql, tenant: Edb, table: string): Promise<string> {
  const text = `select max(id) as id from ${table} where tenant = $1 and doc_uid is not null`;
  return (await sql.get<{ id: string | null }>(text, [tenant]))?.id ?? '';
}

/** As `references`, outside of a transaction. */
async function* pagesOf({ engine, nextTurn }: Source, tenant: Edb, side: Side, condition: string) {
  for await (const page of references(engine, tenant, side, condition)) {
    yield page;
    await nextTurn();
  }
}

/** The file references of documents in the order of their identifiers; a page has those of one window, which may have none. */
async function* references(
  sql: Sql,
  tenant: Edb,
  { table, created, representations }: Side,
  condition: string,
  after = '',
) {
  const columns = representations.map((name) => `${name}_sha256`);
  for await (const { within, bounds } of windows(sql, table, tenant, { after })) {
    yield await sql.all<Reference>(
      `select id, ${created} as created_at, archived_at, ${columns.join(', ')} from ${table} where tenant = $1 and ${within} and ${condition} order by id`,
      [tenant, ...bounds],
    );
  }
}

function hashesOf(side: Side, page: readonly Reference[]): readonly string[] {
  return filesOf(side, page).map(({ sha256 }) => sha256);
}

function filesOf({ representations }: Side, page: readonly Reference[]) {
  return page.flatMap((row) =>
    representations.flatMap((representation) => {
      const value = row[`${representation}_sha256`];
      if (!(value instanceof Uint8Array)) return [];
      const sha256 = Buffer.from(value).toString('hex');
      return [{ id: row.id, createdAt: row.created_at, isArchived: row.archived_at !== null, representation, sha256 }];
    }),
  );
}

async function storedAmong(sql: Sql, tenant: Edb, hashes: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (let first = 0; first < hashes.length; first += CHUNK) {
    // Always the same number of parameters, so that one prepared statement is enough.
    const wanted = Array.from({ length: CHUNK }, (_, index) => Buffer.from(hashes[first + index] ?? '', 'hex'));
    const rows = await sql.all<{ sha256: Uint8Array }>(FIND_STORED, [tenant, ...wanted]);
    found.push(...rows.map(({ sha256 }) => Buffer.from(sha256).toString('hex')));
  }
  return found;
}
