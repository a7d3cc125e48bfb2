import type { DueDecisions } from '../state/due-decisions.ts';
import type { Registration } from '../state/registered-document.ts';
import type { State } from '../state/state.ts';
import type { SignedPayload } from './checks/document-schema.ts';
import { createEuids } from './euid.ts';
import { registrationOf, type Sender, statusChangeOf } from './registration.ts';

export type RegisterDocument = (payload: SignedPayload, sender: Sender, now: Date) => Registration;

/** Gives a checked document its EUID, and the document that it replaces its new status. */
export function createRegisterDocument(
  state: State,
  decisions: DueDecisions,
  newUuid?: () => string,
): RegisterDocument {
  const nextEuid = createEuids(newUuid);
  return (payload, sender, now) => {
    const registration = registrationOf(payload, sender, state.registry, nextEuid(now.getTime()), now);
    const change = statusChangeOf(payload, registration, state.documents);
    state.record({ kind: 'document', document: registration });
    if (change !== null) state.record({ kind: 'status', change });
    const registered = state.documents.find(registration.euid);
    if (registered !== undefined) decisions.schedule(registered);
    return registration;
  };
}
