import pg from 'pg';
import type { Timers } from '../../../application/ports/platform.ts';
import type { OnStep } from '../engine.ts';

type LargeIndex = {
  readonly name: string;
  readonly table: string;
  readonly columns: string;
  /** The migration after which the process that applied it builds the index. */
  readonly version: number;
};

/**
 * Indexes that a migration adds to a table with many rows. To build one within the migration would hold up all who write to the
 * table, for longer than their statement timeout; `concurrently` takes longer and holds up nobody, but needs to be outside of
 * transactions.
 */
const LARGE_INDEXES: readonly LargeIndex[] = [
  { name: 'audit_by_block', table: 'audit', columns: '(block, id)', version: 6 },
  {
    name: 'outbound_by_lease',
    table: 'outbound',
    columns: '(tenant) where lease is not null and status < 40',
    version: 10,
  },
  {
    name: 'outbound_by_sha256',
    table: 'outbound',
    columns: '(tenant, ubl_sha256, id) where doc_uid is not null',
    version: 19,
  },
  { name: 'outbound_by_id', table: 'outbound', columns: '(id) where doc_uid is not null', version: 23 },
  { name: 'outbound_by_status', table: 'outbound', columns: '(status, id) where status <> 40', version: 23 },
  {
    name: 'outbound_by_failure',
    table: 'outbound',
    columns: '(failure_code, id) where failure_code is not null',
    version: 23,
  },
  {
    name: 'outbound_by_partner',
    table: 'outbound',
    columns: '(partner_edb, id) where doc_uid is not null',
    version: 23,
  },
  { name: 'inbound_by_id', table: 'inbound', columns: '(id) where doc_uid is not null', version: 23 },
  {
    name: 'inbound_by_number',
    table: 'inbound',
    columns: '(substr(document_number, 1, 60)) where doc_uid is not null',
    version: 23,
  },
  {
    name: 'inbound_by_sha256',
    table: 'inbound',
    columns: '(original_sha256) where doc_uid is not null',
    version: 23,
  },
  { name: 'inbound_by_partner', table: 'inbound', columns: '(sender_edb, id) where doc_uid is not null', version: 23 },
  {
    name: 'audit_by_document',
    table: 'audit',
    columns: '(tenant, doc_uid, id) where doc_uid is not null',
    version: 30,
  },
  {
    name: 'outbound_by_due',
    table: 'outbound',
    columns: '(status, due_at, tenant) where due_at is not null and status <= 40',
    version: 34,
  },
  {
    name: 'outbound_by_failures',
    table: 'outbound',
    columns: '(failures, tenant, status, due_at) where due_at is not null and status < 40 and failures > 0',
    version: 34,
  },
];

/** Runs one statement outside of transactions, for as long as it takes. */
type Run = (text: string) => Promise<pg.QueryResult>;

const POLL_MS = 200;
/** After this long without a process that builds the index, whoever was to build it is taken to have died. */
const TAKE_OVER_AFTER_MS = 3_000;

/** Another process has begun to build the same index at the same moment. */
const OTHER_WAS_FIRST: ReadonlySet<string> = new Set(['42P07', '23505', '40P01']);
/** Another one has removed the same unfinished index at the same moment: "tuple concurrently updated". The server has other errors of this code. */
const INTERNAL_ERROR = 'XX000';
const MAX_INTERNAL_ERRORS = 10;

/** Builds the indexes of the migration that this process has just applied. */
export async function buildIndexesOf(version: number, run: Run, onStep: OnStep): Promise<void> {
  for (const index of LARGE_INDEXES.filter((one) => one.version === version)) {
    onStep(`index ${index.name} is being built`);
    await build(index, run, true);
  }
}

/** Waits until other processes have built theirs, and builds what one that died has left undone. */
export async function completeIndexes(timers: Timers, run: Run): Promise<void> {
  // Once for all of them: whoever has died builds none.
  let idleSince = timers.elapsedMs();
  let errors = 0;
  for (const index of await unfinished(run)) {
    for (;;) {
      const { isValid, isBuilding } = await stateOf(index, run);
      if (isValid) break;
      if (isBuilding) idleSince = timers.elapsedMs();
      if (timers.elapsedMs() - idleSince <= TAKE_OVER_AFTER_MS) await timers.pause(POLL_MS);
      else if ((await build(index, run, errors < MAX_INTERNAL_ERRORS)) === 'internal error') errors += 1;
    }
  }
}

/** All are asked for in one statement: they are complete at nearly every start. */
async function unfinished(run: Run): Promise<readonly LargeIndex[]> {
  const names = LARGE_INDEXES.map(({ name }) => `('${name}')`).join();
  const { rows } = await run(
    `select name from (values ${names}) as wanted (name)
     where not exists (select 1 from pg_index where indexrelid = to_regclass(name) and indisvalid)`,
  );
  const missing = new Set((rows as readonly { readonly name: string }[]).map(({ name }) => name));
  return LARGE_INDEXES.filter(({ name }) => missing.has(name));
}

async function stateOf({ name, table }: LargeIndex, run: Run) {
  const { rows } = await run(
    `select
       coalesce((select indisvalid from pg_index where indexrelid = to_regclass('${name}')), false)::int as valid,
       exists (select 1 from pg_stat_progress_create_index where relid = to_regclass('${table}'))::int as building`,
  );
  const [state] = rows as readonly { readonly valid: number; readonly building: number }[];
  return { isValid: state?.valid === 1, isBuilding: state?.building === 1 };
}

/** An internal error is told, or thrown where it is not borne with; whether the index is there is asked afterwards. */
async function build(
  { name, table, columns }: LargeIndex,
  run: Run,
  mayFail: boolean,
): Promise<'tried' | 'internal error'> {
  try {
    // One that is there was not finished: its process died, or ran into a deadlock.
    await run(`drop index concurrently if exists ${name}`);
    await run(`create index concurrently ${name} on ${table} ${columns}`);
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
    if (code === INTERNAL_ERROR && mayFail) return 'internal error';
    if (!OTHER_WAS_FIRST.has(code)) throw error;
  }
  return 'tried';
}
