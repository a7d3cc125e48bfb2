import { hash } from 'node:crypto';
import { OperatorError } from '../../application/errors/operator-error.ts';
import type { Engine } from './engine.ts';

export type StoreEnvironment = 'demo' | 'production';

type Found = { readonly claimed: string | null; readonly seeded: number | null; readonly tenants: number };

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

export const FIND_ENVIRONMENT = `select (select environment from store_environment) as claimed, ${ORIGIN}`;
/** For a database that has no table for it yet. */
export const FIND_ORIGIN = `select null as claimed, ${ORIGIN}`;
export const ENVIRONMENT_PARAMETERS = [DEMO_KEY_SHA256] as const;

/** The environment of a database; null when it is empty and nobody has claimed it. */
export function environmentOf({ claimed, seeded, tenants }: Found): StoreEnvironment | null {
  if (claimed !== null) return claimed === 'demo' ? 'demo' : 'production';
  if (seeded !== null) return 'demo';
  return tenants > 0 ? 'production' : null;
}

/** Claims a database for an environment, for good; refuses one that belongs to the other. */
export async function claimEnvironment(engine: Engine, environment: StoreEnvironment, now: number): Promise<void> {
  const found = await engine.get<Found>(FIND_ENVIRONMENT, ENVIRONMENT_PARAMETERS);
  if (found?.claimed === environment) return;
  const owner = await engine.transaction(async (sql) => {
    sql.lock('store environment');
    const known = await sql.get<Found>(FIND_ENVIRONMENT, ENVIRONMENT_PARAMETERS);
    const owner = (known === null ? null : environmentOf(known)) ?? environment;
    const text = 'insert into store_environment (id, environment, since) values (1, $1, $2) on conflict do nothing';
    await sql.run(text, [owner, now]);
    return owner;
  });
  if (owner !== environment) throw otherEnvironment('The database', owner, environment);
}

export function otherEnvironment(what: string, owner: StoreEnvironment, asked: StoreEnvironment): OperatorError {
  return new OperatorError(
    'refused',
    `${what} belongs to the environment ${owner}, and ENVIRONMENT is ${asked}${asked === 'demo' ? ' unless it is set' : ''}.`,
  );
}
