import type { EuidOwner } from '../../../../application/ports/storage/delivery-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { Sql } from '../../engine.ts';
import { lockTenant } from '../tenant-lock.ts';
import { outboundInquiryStore } from './outbound-inquiry-store.ts';

/** Read one by one: a tenant has few. */
const VOID = `
  select doc_uid as "docUid" from outbound_void
  where tenant = $1 and void_euid in ($2, lower($2), upper($2)) limit 1`;

export async function registeredAs(sql: Sql, tenant: Edb, euid: string): Promise<EuidOwner | null> {
  lockTenant(sql, tenant, 'outbound');
  const [[document], voided] = await Promise.all([
    outboundInquiryStore(sql).find(tenant, { by: 'euid', value: euid }, 1),
    sql.get<{ readonly docUid: DocUid }>(VOID, [tenant, euid]),
  ]);
  if (document !== undefined) return { docUid: document.docUid, isVoid: false };
  return voided === null ? null : { docUid: voided.docUid, isVoid: true };
}
