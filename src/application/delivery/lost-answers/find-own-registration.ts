import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { isSameEuid } from '../../../domain/documents/euid.ts';
import { OUTBOUND_STATUS } from '../../../domain/documents/outbound-status.ts';
import type { Authority, Registration } from '../../ports/authority.ts';
import type { EuidOwner } from '../../ports/storage/delivery-store.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { otherOwner } from '../settlement/answer-to-another.ts';

type Needs = { readonly storage: Storage; readonly authority: Pick<Authority, 'findRegistered'> };

/** More have one number only where many were given up. */
const MOST_OF_NUMBER = 100;

/** Looks up what was sent; where it has an EUID here, by that first. */
export async function findOwnRegistration(
  { storage, authority }: Needs,
  tenant: Tenant,
  sent: Parameters<Authority['findRegistered']>[1],
  own: EuidOwner,
  knownAs?: string,
): Promise<Registration | null> {
  const { docNumber } = sent;
  const isShared = (euid: string) => isNumberShared(storage, tenant.edb, { docNumber, euid }, own);
  const found = await authority.findRegistered(tenant, { ...sent, isNumberShared: isShared }, knownAs);
  return found !== null && (await isOwnRegistration(storage, tenant, found, own)) ? found : null;
}

/** Whether another document of the number, or another void of it, has no known outcome, or this registration beside it. */
export async function isNumberShared(
  { outboundInquiries, strayRegistrations, voids }: Storage,
  tenant: Edb,
  { docNumber: value, euid }: { readonly docNumber: string; readonly euid: string },
  { docUid: own }: EuidOwner,
): Promise<boolean> {
  const found = await outboundInquiries.find(tenant, { by: 'documentNumber', value }, MOST_OF_NUMBER);
  const others = found.filter(({ docUid }) => docUid !== own);
  if (others.some(({ status }) => status === OUTBOUND_STATUS.sent)) return true;
  for (const { docUid } of others) {
    const strays = await strayRegistrations.list(tenant, docUid);
    if (strays.some((stray) => isSameEuid(stray.euid, euid))) return true;
  }
  return (await voids.sentUnder(tenant, value)).some((docUid) => docUid !== own);
}

/**
 * Where payloads may not be read, what stands under a number may be another one of the tenant, as a credit note of the same number, date
 * and amount: one that has its EUID here is not the one that is looked for.
 */
export async function isOwnRegistration(
  storage: Storage,
  { edb }: Tenant,
  { euid, isPresumed = false }: Registration,
  own: EuidOwner,
): Promise<boolean> {
  return !isPresumed || (await otherOwner(storage, edb, euid, own)) === null;
}
