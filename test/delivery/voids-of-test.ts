import { randomUUID } from 'node:crypto';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import type { AuthorityConnection } from '../../src/app/authority.ts';
import type { Foundation } from '../../src/app/foundation.ts';
import { readCodeList } from '../../src/application/code-lists/read-code-list.ts';
import type { Authority } from '../../src/application/ports/authority.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { deliverVoids } from '../../src/application/voiding/deliver-voids.ts';

type Parts = {
  readonly foundation: Foundation;
  readonly connection: AuthorityConnection;
  /** That of the connection, or one with something in its way. */
  readonly authority?: Authority;
  readonly storage?: Storage;
};

/** Delivers the voids that are due now, with the service's own parts. */
export async function deliverDueVoids({ foundation, connection, authority, storage }: Parts): Promise<void> {
  const { clock } = foundation;
  const failures: unknown[] = [];
  const { startDue, finish } = deliverVoids({
    storage: storage ?? foundation.storage,
    authority: authority ?? connection.authority,
    readList: readCodeList({ lists: connection.lists, clock }),
    clock,
    random: systemRandom,
    leaseMs: 1_000,
    outcomeWindowMs: 1_000,
    newToken: randomUUID,
    report: () => undefined,
    onFailure: (error) => failures.push(error),
  });
  await startDue();
  await finish();
  if (failures.length > 0) throw new AggregateError(failures, 'A void failed.');
}
