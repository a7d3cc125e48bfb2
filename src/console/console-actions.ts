import type { ManageKeys } from '../application/accounts/manage-keys.ts';
import type { ConsoleVisitor } from '../application/operators/operator-sessions.ts';
import type { SignedVisit } from './visit.ts';

/** What operators do in the console; each action has its audit entry in the name of who is signed in. */
export type ConsoleActions = {
  readonly revokeKey: ManageKeys['revoke'];
};

export type ActionsOf = (visitor: ConsoleVisitor) => ConsoleActions;

export function visitorOf({ session, address }: SignedVisit): ConsoleVisitor {
  return { name: session.operator.name, address };
}
