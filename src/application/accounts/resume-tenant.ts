import type { Edb } from '../../domain/accounts/edb.ts';
import { message } from '../../domain/messages/message.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import { retryMended } from '../delivery/retry-waiting.ts';
import { WAITING_FOR_RESUMPTION } from '../errors/failure-catalogue.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock; readonly record: RecordCommand };

export type ResumeTenant = (tenant: Edb) => Promise<void>;

/** Ends a stop before its time, because the operator has removed its cause. */
export function resumeTenant({ storage, clock, record }: Needs): ResumeTenant {
  return (tenant) =>
    storage.transaction(async (tx) => {
      const now = clock.now();
      if (!(await tx.tenants.resume(tenant, now))) {
        throw new OperatorError('refused', message('tenant-not-stopped', { tenant }));
      }
      await retryMended(tx, tenant, WAITING_FOR_RESUMPTION, now);
      await record(tx, { command: 'tenant resume', target: tenant, tenant });
    });
}
