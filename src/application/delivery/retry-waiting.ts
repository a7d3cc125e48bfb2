import type { Edb } from '../../domain/accounts/edb.ts';
import type { FailureCode } from '../errors/failure-catalogue.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Stores = Pick<Storage, 'deliveries' | 'voids' | 'recurringTasks'>;

/**
 * The cause of these failures may be gone: documents and voids of the tenant that wait after them, or for the end of its stop, are due now,
 * and so are its recurring tasks that failed.
 */
export async function retryWaiting(
  { deliveries, voids, recurringTasks }: Stores,
  tenant: Edb,
  codes: readonly FailureCode[],
  now: number,
): Promise<void> {
  for (const code of codes) await deliveries.retryNow(tenant, code, now);
  await voids.retryNow(tenant, codes, now);
  await recurringTasks.retryFailed(tenant, now);
}

/**
 * The same where the operator has mended the account, and with the containers that were not given. Not at the end of every stop: where a
 * right is missing they may be thousands.
 */
export async function retryMended(...args: Parameters<typeof retryWaiting>): Promise<void> {
  const [{ deliveries }, tenant, , now] = args;
  await retryWaiting(...args);
  await deliveries.retryContainers(tenant, now);
}
