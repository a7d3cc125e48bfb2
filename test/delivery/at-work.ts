import type { Engine } from '../../src/adapters/sql/engine.ts';

const AT_WORK = `
  select 1 from outbound join tenant on tenant.edb = outbound.tenant where doc_uid is not null
    and (lease is not null or due_at <= $1 and (stopped_until is null or stopped_until <= $1))
  union all select 1 from outbound_void where lease is not null limit 1`;

/** Whether a worker is at a document or a void, or about to be at a document: in time that a test lets pass its lease would end, and its request be too old. */
export async function isAtWork(engine: Engine, now: number): Promise<boolean> {
  return (await engine.get(AT_WORK, [now])) !== null;
}
