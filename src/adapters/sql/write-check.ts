import { ServiceUnavailable } from '../../application/errors/service-unavailable.ts';
import type { Timers } from '../../application/ports/platform.ts';
import type { Engine, Sql } from './engine.ts';
import { TABLES } from './tables.ts';

/** A write flushes the disk: however often health is asked for, it costs one in this time. */
const COUNTS_FOR_MS = 5_000;

/**
 * Whoever holds the row is waited for, a moment as a rule. Without an end it is a commit that waits for a synchronous standby which is
 * gone: nobody else's would end either, and a look that passed the row over would never notice.
 */
const CHANGE = 'update store_environment set since = since + 1';
/** There and back: SQLite does not write a value that is there already. */
const CHANGE_BACK = 'update store_environment set since = since - 1';

/**
 * PostgreSQL alone has rights, and tables that come and go. It waits for no lock, so that a migration of another process is no outage. To
 * keep of each table which rights it needs would save nothing: the owner of the tables, as whom we connect, has all of them.
 */
const FIND_UNUSABLE = `select name
/*postgres from unnest(string_to_array($1, ' ')) as name
where not coalesce((
  select bool_and(has_table_privilege(to_regclass(name), needed)) from unnest(array['select', 'insert', 'update', 'delete']) as needed
), false)
order by name limit 1 */
/*sqlite from (select $1 as name) where false */`;

/**
 * Fails when the database can be read and not written: a read-only disk, a full one, a standby, a server whose standby is gone, a table
 * that is not there or that the role may not use.
 */
export function createWriteCheck(
  engine: Pick<Engine, 'transaction'>,
  { elapsedMs }: Pick<Timers, 'elapsedMs'>,
): () => Promise<void> {
  let writtenAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | null = null;
  async function look(): Promise<void> {
    const now = elapsedMs();
    await tryToWrite(engine);
    writtenAt = now;
  }
  return async () => {
    if (elapsedMs() - writtenAt < COUNTS_FOR_MS) return;
    // One for all who ask meanwhile: while it waits it keeps a connection, and many of them would leave none for reads.
    underWay ??= look().finally(() => {
      underWay = null;
    });
    await underWay;
  };
}

/** Fails when it cannot be written at this moment, whatever was possible before. */
export async function tryToWrite(engine: Pick<Engine, 'transaction'>): Promise<void> {
  await engine.transaction(async (sql) => {
    await Promise.all([sql.run(CHANGE, []), sql.run(CHANGE_BACK, []), requireTables(sql)]);
  });
}

/** What needs that one table fails, for ever perhaps, while everything else can be written. */
async function requireTables(sql: Sql): Promise<void> {
  const unusable = await sql.get<{ name: string }>(FIND_UNUSABLE, [TABLES.join(' ')]);
  if (unusable === null) return;
  throw new ServiceUnavailable('The database cannot serve at this moment.', {
    cause: new Error(
      `Its table ${unusable.name} is not there, or the role of DATABASE_URL lacks a right to it: select, insert, update or delete.`,
    ),
  });
}
