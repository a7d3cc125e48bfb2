import type { ManageKeys } from '../application/accounts/manage-keys.ts';
import type { ResumeTenant } from '../application/accounts/resume-tenant.ts';
import type { ConsoleVisitor } from '../application/operators/operator-sessions.ts';
import type { RequestVoid } from '../application/voiding/request-void.ts';
import type { Edb } from '../domain/accounts/edb.ts';
import type { DocUid } from '../domain/documents/doc-uid.ts';
import type { SignedVisit } from './visit.ts';

/** What operators do in the console; each action has its audit entry in the name of who is signed in. */
export type ConsoleActions = {
  readonly revokeKey: ManageKeys['revoke'];
  readonly resumeTenant: ResumeTenant;
  /** Both refuse with a sentence where it cannot be done. */
  readonly requeueOutbound: (tenant: Edb, docUid: DocUid) => Promise<void>;
  readonly reopenOutbound: (tenant: Edb, docUid: DocUid) => Promise<void>;
  readonly cancelOutbound: (tenant: Edb, docUid: DocUid) => Promise<void>;
  readonly requestVoid: RequestVoid['request'];
};

export type ActionsOf = (visitor: ConsoleVisitor) => ConsoleActions;

export function visitorOf({ session, address }: SignedVisit): ConsoleVisitor {
  return { name: session.operator.name, address };
}
