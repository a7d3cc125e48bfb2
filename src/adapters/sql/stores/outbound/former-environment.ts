import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { AuthorityEnvironment, TenantSettings } from '../../../../domain/accounts/tenant.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { Sql } from '../../engine.ts';

const SIDES = ['outbound', 'inbound'] as const;
type Side = (typeof SIDES)[number];

const PRESENT = '(select environment from tenant where edb = outbound.tenant)';

/** Whether a document of the table `outbound` came in the environment that its tenant has now. */
export const OF_PRESENT_ENVIRONMENT = `
  coalesce((
    select environment from former_environment as former
    where former.tenant = outbound.tenant and former.side = 'outbound' and former.last_id >= outbound.id
    order by former.last_id limit 1
  ), ${PRESENT}) is not distinct from ${PRESENT}`;

export async function formerEnvironment(
  sql: Sql,
  tenant: Edb,
  side: Side,
  docUid: DocUid,
): Promise<AuthorityEnvironment | null> {
  const row = await sql.get<{ readonly environment: AuthorityEnvironment }>(
    `select environment from former_environment where tenant = $1 and side = $2 and last_id >= $3
     order by last_id limit 1`,
    [tenant, side, docUid],
  );
  return row?.environment ?? null;
}

/**
 * Says of all documents so far in which environment they came, if the tenant leaves it now. By identifiers, which grow, and not by a time: a
 * document that waits for this transaction is of the next one. Where none came since the last change, they are on record already.
 */
export async function leaveEnvironment(sql: Sql, { edb, environment }: TenantSettings): Promise<void> {
  for (const side of SIDES) {
    await sql.run(
      `insert into former_environment (tenant, side, last_id, environment)
       select edb, '${side}', coalesce((
           select id from ${side} where ${side}.tenant = edb and doc_uid is not null order by id desc limit 1
         ), ''), environment
       from tenant where edb = $1 and environment <> $2
       on conflict do nothing`,
      [edb, environment],
    );
  }
}
