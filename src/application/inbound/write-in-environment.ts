import type { Tenant } from '../../domain/accounts/tenant.ts';
import { EnvironmentChanged } from '../errors/tenant-changed.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** A transaction that is refused once the tenant has left the environment that it was read in. Both wait for the lock of the tenant. */
export function writeInEnvironment<Result>(
  storage: Storage,
  { edb, environment }: Tenant,
  work: (tx: Storage) => Promise<Result>,
): Promise<Result> {
  return storage.transaction(async (tx) => {
    const present = (await tx.tenants.find(edb))?.environment ?? environment;
    if (present !== environment) throw new EnvironmentChanged();
    return work(tx);
  });
}
