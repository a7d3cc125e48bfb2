import type { Edb } from '../../../domain/accounts/edb.ts';
import { historyCodeOf } from '../../../domain/documents/authority-status.ts';
import { type DocUid, docUidTime } from '../../../domain/documents/doc-uid.ts';
import { skopjeDay } from '../../../domain/values/skopje-day.ts';
import type { Registration } from '../../ports/authority.ts';
import type { Storage } from '../../ports/storage/storage.ts';

/**
 * A document may have been refused by its buyer or voided before its EUID was known here. The follow-up took no notice of that
 * change, and a look-up tells neither its time nor its reason, or not even the status: it is asked for again.
 */
export async function followRegistered(
  { recurringTasks }: Storage,
  tenant: Edb,
  docUid: DocUid,
  { registeredAt, status, isStatusUnread = false }: Registration,
  now: number,
): Promise<void> {
  if (historyCodeOf(status) === null && !isStatusUnread) return;
  const registered = registeredAt === null ? docUidTime(docUid) : Date.parse(registeredAt);
  await recurringTasks.followFrom(tenant, skopjeDay(registered), now);
}
