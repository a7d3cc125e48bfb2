import { hash } from 'node:crypto';
import { OperatorError } from '../../application/errors/operator-error.ts';
import { refuseOtherEnvironment } from '../../application/errors/refuse-other-environment.ts';
import type { StoreEnvironment } from '../../application/ports/store-environment.ts';
import type { Engine, Sql } from './engine.ts';
import { hasTable } from './has-table.ts';

type Found = { readonly claimed: StoreEnvironment | null; readonly seeded: number | null; readonly tenants: number };

/** The key that the demo environment issues first; everybody knows it. */
const DEMO_KEY_SHA256 = hash('sha256', 'demo-alfa', 'buffer');

/**
 * A database of an older version says by its content where it belongs: to the demo when the demo's own key is its oldest one. If the
 * demo was started on it by mistake, there are older keys.
 */
const ORIGIN = `
  (select 1 from api_key where secret_sha256 = $1
     and created_at = (select min(created_at) from api_key)) as seeded,
  (select count(*) from tenant) as tenants`;

const CLAIMED = 'select environment from store_environment';
const FIND_ENVIRONMENT = `select (${CLAIMED}) as claimed, ${ORIGIN}`;
/** For a database that has no table for it yet. */
const FIND_ORIGIN = `select null as claimed, ${ORIGIN}`;

const CLAIM = `insert into store_environment (id, environment, since) values (1, $1, $2)
on conflict (id) do update set environment = excluded.environment, since = excluded.since
where store_environment.environment <> excluded.environment`;

/** Held by whoever changes a claim and by whoever adds a tenant: which of the two came first decides. */
const LOCK = 'store environment';

/** The environment that a database of any version belongs to; null when it belongs to neither. */
export async function readEnvironment(sql: Pick<Sql, 'get'>): Promise<StoreEnvironment | null> {
  const found = await find(sql);
  return found === null ? null : ownerOf(found);
}

/** Null before the first tables are made. */
async function find(sql: Pick<Sql, 'get'>): Promise<Found | null> {
  if (!(await hasTable(sql, 'tenant'))) return null;
  const text = (await hasTable(sql, 'store_environment')) ? FIND_ENVIRONMENT : FIND_ORIGIN;
  return sql.get<Found>(text, [DEMO_KEY_SHA256]);
}

/** Tables are claimed after they are made, or get the claim of the database that is copied into them: those that nobody has claimed are not complete. */
export async function refuseUnclaimed(sql: Pick<Sql, 'get'>, variable: string): Promise<void> {
  const found = await find(sql);
  if (found !== null && (found.claimed !== null || found.tenants > 0)) return;
  const message = `The database of ${variable} is not complete: "dostava init" or "dostava migrate-store" has not come to its end there. Unless it is still at work, start it again.`;
  throw new OperatorError('refused', message);
}

/**
 * The demo is the default, so a claim for it may be a forgotten variable: it holds once there are tenants. Production is never
 * claimed by mistake, and a service of it may run on a database that has no tenants yet.
 */
function ownerOf({ claimed, seeded, tenants }: Found): StoreEnvironment | null {
  if (claimed === 'production') return 'production';
  if (tenants === 0) return null;
  return claimed ?? (seeded === null ? 'production' : 'demo');
}

/** Claims a database for an environment; refuses one that belongs to the other. */
export async function claimEnvironment(engine: Engine, environment: StoreEnvironment, now: number): Promise<void> {
  if ((await engine.get<{ environment: string }>(CLAIMED, []))?.environment === environment) return;
  const owner = await engine.transaction(async (sql) => {
    sql.lock(LOCK);
    const owner = (await readEnvironment(sql)) ?? environment;
    await sql.run(CLAIM, [owner, now]);
    return owner;
  });
  refuseOtherEnvironment('The database', owner, environment);
}

/** Before a tenant is added: the other environment may have claimed the database while it had none. */
export async function refuseLostClaim(sql: Sql, environment: StoreEnvironment): Promise<void> {
  sql.lock(LOCK);
  const claim = await sql.get<{ environment: StoreEnvironment }>(CLAIMED, []);
  refuseOtherEnvironment('The database', claim?.environment ?? null, environment);
}
