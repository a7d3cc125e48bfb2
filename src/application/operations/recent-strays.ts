import { belongsToDocument } from '../outbound/own-registration.ts';
import type { KeptStray } from '../ports/storage/outbound/stray-registration-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** There are hardly any; the overview must cost little in any case. */
const MOST_READ = 100;

/** Registrations recorded since then that still fit neither their document nor its void, the newest first. */
export async function recentStrays(storage: Storage, since: number): Promise<readonly KeptStray[]> {
  const strays = await storage.strayRegistrations.recent(since, MOST_READ);
  const areOwn = await Promise.all(strays.map((stray) => hasBecomeOwn(storage, stray)));
  return strays.filter((_, index) => !areOwn[index]);
}

async function hasBecomeOwn({ outbound, voids }: Storage, stray: KeptStray): Promise<boolean> {
  const { tenant, docUid } = stray;
  const [document, ownVoid] = await Promise.all([outbound.find(tenant, docUid), voids.find(tenant, docUid)]);
  return document !== null && belongsToDocument(stray, document, ownVoid);
}
