import { STOP_CAUSES, type StopCause } from '../../domain/accounts/tenant.ts';
import type { Foundation } from '../foundation.ts';
import { askIfPossible } from './ask-database.ts';

/** Every cause, also with none: an alert on a series that is missing would never end. Null while the database does not answer. */
export async function stoppedByCause({
  storage,
  timers,
}: Pick<Foundation, 'storage' | 'timers'>): Promise<ReadonlyMap<StopCause, number> | null> {
  const stopped = await askIfPossible(timers, () => storage.tenants.countStopped());
  return stopped === null ? null : new Map(STOP_CAUSES.map((cause) => [cause, stopped.get(cause) ?? 0]));
}
