import type { Edb } from '../../domain/accounts/edb.ts';
import type { DeliveryStop } from '../../domain/accounts/tenant.ts';
import { message } from '../../domain/messages/message.ts';
import { shortText } from '../../domain/values/one-line-text.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import { retryMended } from '../delivery/retry-waiting.ts';
import { WAITING_FOR_RESUMPTION } from '../errors/failure-catalogue.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock; readonly record: RecordCommand };

export type ResumeTenant = (tenant: Edb, shown: string) => Promise<void>;

const MOST_CHARACTERS = 400;

/** By what a stop is told from another one, where an operator has looked at it: since when it lasts, and why. */
export function stopMark({ since, reason }: Pick<DeliveryStop, 'since' | 'reason'>): string {
  return `${since} ${shortText(reason, MOST_CHARACTERS)}`;
}

/** Ends a stop before its time, because the operator has removed its cause: not another one that nobody has looked at. */
export function resumeTenant({ storage, clock, record }: Needs): ResumeTenant {
  return (tenant, shown) =>
    storage.transaction(async (tx) => {
      const now = clock.now();
      const { stopped } = await tx.tenants.queueState(tenant);
      if (stopped !== null && stopMark(stopped) !== shown) {
        throw new OperatorError('refused', message('stop-is-another', { tenant }));
      }
      if (!(await tx.tenants.resume(tenant, now))) {
        throw new OperatorError('refused', message('tenant-not-stopped', { tenant }));
      }
      await retryMended(tx, tenant, WAITING_FOR_RESUMPTION, now);
      await record(tx, { command: 'tenant resume', target: tenant, tenant });
    });
}
