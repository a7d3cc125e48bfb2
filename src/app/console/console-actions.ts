import { createKeySecrets } from '../../adapters/credentials/key-secrets.ts';
import { manageKeys } from '../../application/accounts/manage-keys.ts';
import { resumeTenant } from '../../application/accounts/resume-tenant.ts';
import type { RecordCommand } from '../../application/audit/record-command.ts';
import type { ReadCodeList } from '../../application/code-lists/read-code-list.ts';
import type { ConsoleEntry } from '../../application/operators/operator-sessions.ts';
import { cancelOutbound } from '../../application/outbound/cancel-outbound.ts';
import { refuseNotRetried } from '../../application/outbound/not-retried.ts';
import { reopenOutbound } from '../../application/outbound/reopen-outbound.ts';
import { requeueOutbound } from '../../application/outbound/requeue-outbound.ts';
import { requestVoid } from '../../application/voiding/request-void.ts';
import type { ActionsOf } from '../../console/console-actions.ts';
import type { Foundation } from '../foundation.ts';

/** The use cases of the command line that the console offers, on record in the name of who is signed in. */
export function consoleActions(
  { config, storage, random, clock }: Foundation,
  entryOf: ConsoleEntry,
  readList: ReadCodeList,
): ActionsOf {
  const secrets = createKeySecrets({ demoKeys: config.environment === 'demo', random });
  const cancel = cancelOutbound({ storage, clock });
  return (visitor) => {
    const record: RecordCommand = (tx, command) => tx.audit.append([entryOf(visitor, command)]);
    const requeue = requeueOutbound({ storage, clock, record });
    const reopen = reopenOutbound({ storage, clock, record });
    return {
      revokeKey: manageKeys({ storage, secrets, random, clock, record }).revoke,
      resumeTenant: resumeTenant({ storage, clock, record }),
      requeueOutbound: async (tenant, docUid) => refuseNotRetried(docUid, await requeue(tenant, docUid)),
      reopenOutbound: async (tenant, docUid) => refuseNotRetried(docUid, await reopen(tenant, docUid)),
      async cancelOutbound(tenant, docUid) {
        const auditEntry = () => entryOf(visitor, { command: 'outbound cancel', target: docUid, tenant, docUid });
        await cancel({ tenant: { edb: tenant }, call: { auditEntry, markAudited: () => undefined } }, docUid);
      },
      requestVoid: requestVoid({ storage, readList, clock, record }).request,
    };
  };
}
