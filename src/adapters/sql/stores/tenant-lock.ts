import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Sql } from '../engine.ts';

/**
 * Who changes something of a tenant's side, its list, its documents' states, or for outbound the tenant itself, does so
 * alone. It is asked for before any row is changed, so that nobody who holds a row waits for somebody who needs it; late
 * nevertheless, since the tenant's next transaction waits until this one is committed.
 */
export function lockTenant(sql: Sql, tenant: Edb, side: 'outbound' | 'inbound'): void {
  sql.lock(`${side} ${tenant}`);
}
