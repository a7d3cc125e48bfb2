import type { Tenant } from '../../../domain/accounts/tenant.ts';
import type { Authority, Registration } from '../../ports/authority.ts';
import type { EuidOwner } from '../../ports/storage/delivery-store.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { otherOwner } from '../settlement/answer-to-another.ts';

type Needs = { readonly storage: Storage; readonly authority: Pick<Authority, 'findRegistered'> };

/**
 * Looks up what was sent. Where payloads may not be read, what stands under its number may be another one of the tenant, as a credit note of
 * the same number, date and amount: one that has its EUID here is not the one that is looked for.
 */
export async function findOwnRegistration(
  { storage, authority }: Needs,
  tenant: Tenant,
  sent: Parameters<Authority['findRegistered']>[1],
  own: EuidOwner,
): Promise<Registration | null> {
  const found = await authority.findRegistered(tenant, sent);
  if (found?.isPresumed !== true) return found;
  return (await otherOwner(storage, tenant.edb, found.euid, own)) === null ? found : null;
}
