import type { MoveRecord } from '../../../src/application/ports/storage/outbound-store.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../../src/domain/documents/doc-uid.ts';
import { type OutboundEvent, type OutboundStatus, transition } from '../../../src/domain/documents/outbound-status.ts';
import type { TestService } from '../../support/service.ts';

export type Step = readonly [OutboundEvent, Partial<MoveRecord>?];

/** The shortest way to each status. */
export const WAY_TO = {
  10: [],
  20: [['prepare']],
  30: [['prepare'], ['send']],
  40: [['prepare'], ['send'], ['accept']],
  50: [['prepare'], ['send'], ['reject', { failureCode: 'UJP-E1020', failureMessage: 'Refused.' }]],
  55: [['give-up', { failureCode: 'NOT-EXPRESSIBLE', failureMessage: 'Cannot be expressed.' }]],
} as const satisfies Record<number, readonly Step[]>;

/** Moves a document along, one transaction a step, as the delivery does; gives the status it ends in. */
export async function walk(
  { foundation }: Pick<TestService, 'foundation'>,
  tenant: Edb,
  docUid: DocUid,
  steps: readonly Step[],
  from: OutboundStatus = 10,
): Promise<OutboundStatus> {
  let status = from;
  for (const [event, given = {}] of steps) {
    const record = { at: foundation.clock.now(), failureCode: null, failureMessage: null, ...given };
    const moved = await foundation.storage.transaction((tx) => tx.outbound.move(tenant, docUid, status, event, record));
    const next = transition(status, event);
    if (!moved || next === null) throw new Error(`${docUid} in status ${status} did not ${event}.`);
    status = next;
  }
  return status;
}
