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
  /** The operating system's name of the user who gave the command, or the name by which somebody signed in to the console. */
  readonly operator: string;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The command line unless it is said. */
  readonly from?: CommandOrigin;
};

/** Where a command was given. */
export type CommandOrigin = { readonly method: 'COMMAND' | 'CONSOLE'; readonly address: string };

/** In place of an HTTP method and an address, which a command does not have. */
const COMMAND_LINE: CommandOrigin = { method: 'COMMAND', address: 'local' };

export function recordCommand(needs: Needs): RecordCommand {
  const entryOf = commandEntry(needs);
  return (tx, command) => tx.audit.append([entryOf(command)]);
}

export function commandEntry(needs: Needs): (command: OperatorCommand) => AuditEntry {
  const { operator, clock, newId, from = COMMAND_LINE } = needs;
  return ({ command, target, tenant, docUid }) => ({
    at: clock.now(),
    tenant,
    keyId: null,
    softwareId: null,
    method: from.method,
    path: callerText(`${command} ${target}`),
    docUid: docUid ?? null,
    httpStatus: 0,
    code: null,
    address: from.address,
    durationMs: 0,
    requestId: newId(),
    operator: callerText(operator),
    calls: 1,
  });
}
