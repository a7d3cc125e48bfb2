import type { DatabaseSync } from 'node:sqlite';
import { endlessRetryPauseMs } from '../../../src/domain/documents/retry-schedule.ts';
import type { SimulatedAuthority } from '../world/authority.ts';
import type { FaultPlan } from '../world/fault-plan.ts';

const MINUTE = 60_000;
/** For look-ups, which are ten minutes apart at most, for polling that had become slow, and for the requests themselves. */
const AFTER_THE_LAST_PAUSE_MS = 45 * MINUTE;
const LONGEST = 1;

/**
 * How long everything may take to end: the longest pause that failures so far justify, what a clock that was ahead has added to it, and
 * what comes after it.
 */
export function timeToEndMs(database: DatabaseSync, plan: FaultPlan): number {
  const row = database
    .prepare(
      `select max(failures) as failures from (
         select failures from outbound where due_at is not null
         union all select failures from outbound_void where due_at is not null)`,
    )
    .get() as { readonly failures: number | null };
  const failures = row.failures ?? 0;
  const aheadMs = plan.reduce((most, { kind, ms }) => (kind === 'clock offset' ? Math.max(most, ms) : most), 0);
  return AFTER_THE_LAST_PAUSE_MS + aheadMs + (failures === 0 ? 0 : endlessRetryPauseMs(failures + 1, LONGEST));
}

/** What has not come to its end yet. */
export function openWork(database: DatabaseSync, authority: SimulatedAuthority): () => readonly string[] {
  const documents = database.prepare(
    `select 'document ' || doc_uid || ' in status ' || status as what from outbound
     where doc_uid is not null and (status in (10, 20, 30) or (status = 40 and ujp_sha256 is null))
     union all select 'void of ' || doc_uid || ' ' || state from outbound_void where ended_at is null`,
  );
  const statuses = database.prepare(
    `select doc_uid, euid, ujp ->> '$.statusCode' as code from outbound where status = 40 and euid is not null`,
  );
  const inbound = database.prepare('select count(*) as count from inbound where tenant = ?');
  const version = database.prepare('pragma data_version');
  let seen = '';
  let open: readonly string[] = [];

  function missing(): readonly string[] {
    const byBuyer = Map.groupBy(authority.registered(), ({ buyer }) => buyer ?? '');
    return [...byBuyer].flatMap(([buyer, documents]) => {
      const { count } = inbound.get(buyer) as { readonly count: number };
      return buyer === '' || count >= documents.length ? [] : [`${documents.length - count} arrivals of ${buyer}`];
    });
  }

  /** Those whose later status at the authority is not known here yet. */
  function notFollowed(): readonly string[] {
    const theirs = new Map(authority.registered().map(({ euid, status }) => [euid, status as string]));
    return statuses.all().flatMap((row) => {
      const status = theirs.get(String(row['euid']));
      return status === undefined || status === row['code']
        ? []
        : [`document ${row['doc_uid']} is ${row['code']} here, ${status} at the authority`];
    });
  }

  return () => {
    const now = `${JSON.stringify(version.get())} ${authority.registered().length}`;
    if (now === seen) return open;
    seen = now;
    open = [...documents.all().map((row) => String(row['what'])), ...missing(), ...notFollowed()];
    return open;
  };
}
