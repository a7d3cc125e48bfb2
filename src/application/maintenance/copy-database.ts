import type { CopySource, CopyStep, CopyTarget, Row, RowDigest, TableShape } from '../ports/database-copy.ts';
import type { Clock } from '../ports/platform.ts';

type Needs = {
  readonly source: CopySource;
  readonly target: CopyTarget;
  readonly newDigest: () => RowDigest;
  /** Whether what a row stores does not match its SHA-256. */
  readonly isDamaged: (table: TableShape, row: Row) => boolean;
  readonly clock: Clock;
  /** Whether the copy is of use although files or payloads were damaged in the source. */
  readonly acceptDamage: boolean;
  readonly progress: (step: CopyStep) => void;
};

type Side = { readonly rows: number; readonly sha256: string };

export type CopiedTable = {
  readonly table: string;
  readonly source: Side;
  readonly target: Side;
  /** Number of files or payloads that do not match their SHA-256. Where both sides are the same, they were so in the source. */
  readonly damaged: number;
  readonly isSame: boolean;
};

export type CopyOutcome = {
  readonly isResumed: boolean;
  readonly isSame: boolean;
  /** Whether a service may work on the target now. */
  readonly isFinished: boolean;
  /** The new name of the source; null while the copy is not complete. */
  readonly setAside: string | null;
  readonly tables: readonly CopiedTable[];
};

/**
 * Copies all rows of one database into another, in the order of their keys, so that an interrupted copy continues after the
 * last row that was written. Then everything is read again from both databases and compared. The source of a complete copy gets another
 * name: a service that was started on it by mistake would deliver the same documents.
 */
export async function copyDatabase(needs: Needs): Promise<CopyOutcome> {
  const { source, target, clock, acceptDamage } = needs;
  const { isResumed } = await target.begin(source, clock.now());
  for (const table of source.tables) await copyTable(needs, table);
  const tables: CopiedTable[] = [];
  for (const table of source.tables) tables.push(await compareTable(needs, table));
  const isSame = tables.every((table) => table.isSame);
  const isFinished = isSame && (acceptDamage || tables.every(({ damaged }) => damaged === 0));
  if (isFinished) await target.finish(clock.now());
  const setAside = isFinished ? await source.setAside(clock.now()) : null;
  return { isResumed, isSame, isFinished, setAside, tables };
}

async function copyTable({ source, target, progress }: Needs, table: TableShape): Promise<void> {
  const total = source.count(table);
  let after = await target.lastKey(table);
  let done = after === null ? 0 : await target.count(table);
  for (;;) {
    const rows = source.batch(table, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    await target.insert(table, rows);
    after = keyOf(table, last);
    done += rows.length;
    progress({ act: 'copying', table: table.name, done, total });
  }
}

/** Reads a batch of the source and the rows between the same two keys of the target, which also finds rows that were added there. */
async function compareTable(needs: Needs, table: TableShape): Promise<CopiedTable> {
  const { source, target, newDigest, isDamaged, progress } = needs;
  const total = source.count(table);
  const digests = { source: newDigest(), target: newDigest() };
  let after: Row | null = null;
  let done = 0;
  let damaged = 0;
  for (;;) {
    const rows = source.batch(table, after);
    const last = rows.at(-1);
    if (last === undefined) break;
    const upTo = keyOf(table, last);
    const copied = await target.range(table, after, upTo, rows.length + 1);
    for (const row of rows) digests.source.add(row);
    for (const row of copied) digests.target.add(row);
    damaged += copied.filter((row) => isDamaged(table, row)).length;
    after = upTo;
    done += rows.length;
    progress({ act: 'verifying', table: table.name, done, total });
  }
  const sides = {
    source: { rows: total, sha256: digests.source.hex() },
    target: { rows: await target.count(table), sha256: digests.target.hex() },
  };
  const isSame = sides.source.rows === sides.target.rows && sides.source.sha256 === sides.target.sha256;
  return { table: table.name, ...sides, damaged, isSame };
}

function keyOf({ columns, key }: TableShape, row: Row): Row {
  return key.map((column) => row[columns.indexOf(column)] ?? null);
}
