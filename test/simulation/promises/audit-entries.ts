import type { Engine } from '../../../src/adapters/sql/engine.ts';
import type { MadeCall, Model } from '../clients/model.ts';
import type { Replica } from '../replica/replica.ts';
import type { FaultPlan } from '../world/fault-plan.ts';

type Needs = {
  readonly engine: Engine;
  readonly model: Model;
  readonly replicas: readonly Replica[];
  readonly plan: FaultPlan;
};

/** Of the database: without one of them no entry may be in the log alone. */
const DATABASE_FAULTS = [
  'busy',
  'input/output error',
  'unknown commit',
  'cut before',
  'cut during',
  'cut after',
  'database restart',
];

const UNAVAILABLE = 503;

/** Calls that were counted together, since none of them came so far that its key was known. */
const COUNTED = `select coalesce(sum(calls), 0) as calls from audit where operator is null and method = '*'`;

/**
 * Every call has one entry, or is counted in one. Only of calls that changed nothing may it be lost, with the memory of a process that
 * crashed.
 */
export async function checkAudit({ engine, model, replicas, plan }: Needs): Promise<void> {
  const rows = await engine.all<{ request_id: string; entries: number }>(
    'select request_id, count(*) as entries from audit where operator is null group by request_id',
    [],
  );
  const entries = new Map(rows.map((row) => [row.request_id, row.entries]));
  const crashed = new Set(replicas.filter((replica) => replica.crashes() > 0).map(({ name }) => name));
  const isLogged = (requestId: string) =>
    model.loggedEntries.has(requestId) && plan.some(({ kind }) => DATABASE_FAULTS.includes(kind));
  const mayBeLost = (made: MadeCall) => crashed.has(made.replica) && !hasChanged(made);
  const missing = model.calls.filter((made) => {
    const requestId = made.reply?.headers['x-request-id'];
    // What fails while later entries are stored goes to the log instead, which says so.
    return requestId !== undefined && !entries.has(requestId) && !isLogged(requestId);
  });
  const counted = (await engine.get<{ readonly calls: number }>(COUNTED, []))?.calls ?? 0;
  const countable = missing.filter(({ reply }) => reply?.status === UNAVAILABLE);
  if (counted > countable.length)
    model.violate('one audit entry per call', `${counted} calls are counted, ${countable.length} were made`);
  for (const made of missing.filter((one) => !mayBeLost(one) && !countable.slice(0, counted).includes(one)))
    model.violate('one audit entry per call', `${made.call.method} ${made.call.path} ${made.reply?.status}`);
  for (const [requestId, count] of entries) if (count > 1) model.violate('one audit entry per call', requestId);
}

function hasChanged({ call, reply }: MadeCall): boolean {
  if (call.method !== 'POST' || reply === null) return false;
  // A repeated submission is answered with 200 and changes nothing; so does a repeated acknowledgement.
  return reply.status === 201 || (reply.status === 200 && call.path.endsWith('/cancel'));
}
