import type { Edb } from '../../domain/accounts/edb.ts';
import { type DeliveryHold, RESTORED } from '../../domain/operations/delivery-hold.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** Why nothing is sent for a tenant: for none is, or it was not compared after a restore. Null where it is. */
export async function tenantHold(
  { deliveryHold }: Pick<Storage, 'deliveryHold'>,
  edb: Edb,
): Promise<DeliveryHold | null> {
  const ofAll = await deliveryHold.find();
  if (ofAll !== null) return ofAll;
  const restored = (await deliveryHold.uncompared()).find(({ tenant }) => tenant === edb)?.restored;
  return restored === undefined ? null : { reason: RESTORED, since: restored.at, restored };
}
