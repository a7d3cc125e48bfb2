import { endlessRetryPauseMs } from '../../../src/domain/documents/retry-schedule.ts';
import type { SimulatedAuthority } from '../world/authority.ts';
import type { FaultPlan } from '../world/fault-plan.ts';
import type { Committed } from '../world/history-database.ts';

const MINUTE = 60_000;
/** For look-ups, which are ten minutes apart at most, for polling that had become slow, and for the requests themselves. */
export const AFTER_THE_LAST_PAUSE_MS = 45 * MINUTE;
/** How open documents and voids are named. */
export const OPEN_DOCUMENT = 'document without an end: ';
export const OPEN_VOID = 'void without an end: ';
const LONGEST = 1;
/** Such a document is refused twice, also after all faults are over. */
const BUSY = 'SIM-BUSY';
const BUSY_REFUSALS = 2;

/** Requests that leave in their turn may arrive too close to each other, whatever happened before. */
const TOO_CLOSE = 'AUTHORITY-BUSY';

/** Until when what the authority refused for its pace takes; null where it refused nothing for that. */
export async function afterPaceMs(committed: Committed): Promise<number | null> {
  const rows = await committed.read<{ readonly due_at: number }>(
    `select due_at from outbound where due_at is not null and status < 40 and failure_code = '${TOO_CLOSE}'
     union all select due_at from outbound_void where due_at is not null and failure_code = '${TOO_CLOSE}'`,
    [],
  );
  return rows.length === 0 ? null : Math.max(...rows.map((row) => row.due_at)) + AFTER_THE_LAST_PAUSE_MS;
}

type Waiting = { readonly failures: number; readonly document_number: string | null };

/**
 * How long everything may take to end: the longest pauses that failures justify, what a clock that was ahead has added to them, and
 * what comes after them. An hour that a wrong clock has added to the pause of a retry looks as any other pause of that length.
 */
export async function timeToEndMs(committed: Committed, plan: FaultPlan): Promise<number> {
  const rows = await committed.read<Waiting>(
    `select failures, document_number from outbound where due_at is not null
     union all select failures, null from outbound_void where due_at is not null`,
    [],
  );
  const aheadMs = plan.reduce((most, { kind, ms }) => (kind.includes('clock') ? Math.max(most, ms) : most), 0);
  return AFTER_THE_LAST_PAUSE_MS + aheadMs + Math.max(0, ...rows.map(pausesMs));
}

function pausesMs({ failures, document_number: number }: Waiting): number {
  const more = number?.startsWith(BUSY) ? BUSY_REFUSALS : 0;
  if (failures + more === 0) return 0;
  const counts = Array.from({ length: more + 1 }, (_, index) => failures + 1 + index);
  return counts.reduce((sum, count) => sum + endlessRetryPauseMs(count, LONGEST), 0);
}

/** What has not come to its end yet. */
export async function openWork(committed: Committed, authority: SimulatedAuthority): Promise<() => readonly string[]> {
  const documents = await committed.watch<{ readonly what: string }>(
    `select '${OPEN_DOCUMENT}' || doc_uid || ' in status ' || status as what from outbound
     where doc_uid is not null and (status in (10, 20, 30) or (status = 40 and ujp_sha256 is null))
     union all select '${OPEN_VOID}' || doc_uid || ' ' || state from outbound_void where ended_at is null`,
  );
  const statuses = await committed.watch<{
    readonly doc_uid: string;
    readonly euid: string;
    readonly ujp: string | null;
  }>('select doc_uid, euid, ujp from outbound where status = 40 and euid is not null');
  const inbound = await committed.watch<{ readonly tenant: string }>('select tenant from inbound');
  let seen = '';
  let open: readonly string[] = [];

  function missing(): readonly string[] {
    const byBuyer = Map.groupBy(authority.registered(), ({ buyer }) => buyer ?? '');
    return [...byBuyer].flatMap(([buyer, documents]) => {
      const count = inbound().filter(({ tenant }) => tenant === buyer).length;
      return buyer === '' || count >= documents.length ? [] : [`${documents.length - count} arrivals of ${buyer}`];
    });
  }

  /** Those whose later status at the authority is not known here yet. */
  function notFollowed(): readonly string[] {
    const theirs = new Map(authority.registered().map(({ euid, status }) => [euid, status as string]));
    return statuses().flatMap(({ doc_uid: docUid, euid, ujp }) => {
      const status = theirs.get(euid);
      const code = (JSON.parse(ujp ?? '{}') as { readonly statusCode?: string }).statusCode;
      return status === undefined || status === code
        ? []
        : [`document ${docUid} is ${code} here, ${status} at the authority`];
    });
  }

  return () => {
    const now = `${committed.versions().documents} ${authority.registrations()}`;
    if (now === seen) return open;
    seen = now;
    open = [...documents().map(({ what }) => what), ...missing(), ...notFollowed()];
    return open;
  };
}
