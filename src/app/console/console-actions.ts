import { createKeySecrets } from '../../adapters/credentials/key-secrets.ts';
import { manageKeys } from '../../application/accounts/manage-keys.ts';
import type { RecordCommand } from '../../application/audit/record-command.ts';
import type { ConsoleEntry } from '../../application/operators/operator-sessions.ts';
import type { ActionsOf } from '../../console/console-actions.ts';
import type { Foundation } from '../foundation.ts';

/** The use cases of the command line that the console offers, on record in the name of who is signed in. */
export function consoleActions({ config, storage, random, clock }: Foundation, entryOf: ConsoleEntry): ActionsOf {
  const secrets = createKeySecrets({ demoKeys: config.environment === 'demo', random });
  return (visitor) => {
    const record: RecordCommand = (tx, command) => tx.audit.append([entryOf(visitor, command)]);
    return {
      revokeKey: manageKeys({ storage, secrets, random, clock, record }).revoke,
    };
  };
}
