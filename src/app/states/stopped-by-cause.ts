import { isDatabaseFailure } from '../../application/errors/commit-unknown.ts';
import { STOP_CAUSES, type StopCause } from '../../domain/accounts/tenant.ts';
import type { Foundation } from '../foundation.ts';
import { askDatabase } from './ask-database.ts';

/** Every cause, also with none: an alert on a series that is missing would never end. Null while the database does not answer. */
export async function stoppedByCause({
  storage,
  timers,
}: Pick<Foundation, 'storage' | 'timers'>): Promise<ReadonlyMap<StopCause, number> | null> {
  try {
    const stopped = await askDatabase(timers, () => storage.tenants.countStopped());
    return new Map(STOP_CAUSES.map((cause) => [cause, stopped.get(cause) ?? 0]));
  } catch (error) {
    if (isDatabaseFailure(error)) return null;
    throw error;
  }
}
