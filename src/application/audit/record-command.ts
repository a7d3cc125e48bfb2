import type { Edb } from '../../domain/accounts/edb.ts';
import { callerText } from '../../domain/audit/caller-text.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { Clock } from '../ports/platform.ts';
import type { AuditEntry } from '../ports/storage/audit-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** What an operator changed. Never holds secrets: names and identifiers only. */
export type OperatorCommand = {
  /** As it is typed, for example `key revoke`. */
  readonly command: string;
  /** What it was about, and what was changed of it. */
  readonly target: string;
  readonly tenant: Edb | null;
  readonly docUid?: DocUid;
};

/** Writes the audit entry of a command in the transaction of the change that it makes. */
export type RecordCommand = (tx: Pick<Storage, 'audit'>, command: OperatorCommand) => Promise<void>;

type Needs = {
  /** The operating system's name of the user who gave the command. */
  readonly operator: string;
  readonly clock: Clock;
  readonly newId: () => string;
};

/** In place of an HTTP method and an address, which a command does not have. */
const METHOD = 'COMMAND';
const ADDRESS = 'local';

export function recordCommand(needs: Needs): RecordCommand {
  const entryOf = commandEntry(needs);
  return (tx, command) => tx.audit.append([entryOf(command)]);
}

export function commandEntry({ operator, clock, newId }: Needs): (command: OperatorCommand) => AuditEntry {
  return ({ command, target, tenant, docUid }) => ({
    at: clock.now(),
    tenant,
    keyId: null,
    softwareId: null,
    method: METHOD,
    path: callerText(`${command} ${target}`),
    docUid: docUid ?? null,
    httpStatus: 0,
    code: null,
    address: ADDRESS,
    durationMs: 0,
    requestId: newId(),
    operator: callerText(operator),
    calls: 1,
  });
}
