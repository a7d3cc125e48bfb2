import type { Timers } from '../../application/ports/platform.ts';
import type { Storage } from '../../application/ports/storage/storage.ts';
import type { FailuresInARow } from '../../domain/accounts/failures-in-a-row.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { askIfPossible } from './ask-database.ts';

const { received, processing, sent } = OUTBOUND_STATUS;

/**
 * How many tenants keep failing. One with nothing to send any more does not, however its last document ended: without this the alert
 * would last until the process delivers another one, or for ever.
 */
export async function countFailing(
  { storage, timers }: { readonly storage: Pick<Storage, 'overview'>; readonly timers: Pick<Timers, 'after'> },
  failures: FailuresInARow,
): Promise<number> {
  if (failures.tenants === 0) return 0;
  const waiting = await askIfPossible(timers, () => storage.overview.oldest([received, processing, sent]));
  if (waiting !== null) {
    const tenants = new Set(waiting.map(({ tenant }) => tenant));
    failures.keepOnly((tenant) => tenants.has(tenant));
  }
  return failures.tenants;
}
