import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import { isSameEuid } from '../../../domain/documents/euid.ts';
import type { OutboundDocument } from '../../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS } from '../../../domain/documents/outbound-status.ts';
import type { Registration } from '../../ports/authority.ts';
import type { EuidOwner } from '../../ports/storage/delivery-store.ts';
import type { StrayRegistration } from '../../ports/storage/outbound/stray-registration-store.ts';
import type { Storage } from '../../ports/storage/storage.ts';

/** Whether the document has an EUID that a look-up has found to be that of another: no other registration beside it can have its own EUID. */
export async function hasEuidOfAnother(
  { strayRegistrations }: Pick<Storage, 'strayRegistrations'>,
  tenant: Edb,
  { docUid, ujp }: Pick<OutboundDocument, 'docUid'> & { readonly ujp: { readonly euid: string | null } | null },
): Promise<boolean> {
  const strays = await strayRegistrations.list(tenant, docUid);
  return strays.some(({ euid, status }) => status === OUTBOUND_STATUS.accepted && isSameEuid(ujp?.euid, euid));
}

/** What is told of it once it is on record. */
export type Mistaken = { readonly docUid: DocUid; readonly message: string };

type Found = Pick<StrayRegistration, 'act' | 'recordedAt'> & {
  readonly registration: Registration;
  /** Whose it is. */
  readonly docUid: DocUid;
};

/**
 * A look-up has found whose an EUID is, by the `docId`, and something else has it here: the answer that settled that one was to another request.
 * It keeps its status, and nothing but this tells the operator that it may not be registered. Null when it was told before.
 */
export async function recordMistaken(
  { strayRegistrations }: Pick<Storage, 'strayRegistrations'>,
  tenant: Edb,
  { docUid, isVoid }: EuidOwner,
  { act, recordedAt, registration, docUid: found }: Found,
): Promise<Mistaken | null> {
  const { euid, registeredAt, answer } = registration;
  const stray = { euid, act, status: OUTBOUND_STATUS.accepted, registeredAt, recordedAt, answer };
  if (!(await strayRegistrations.add(tenant, docUid, stray))) return null;
  const whose = act === 'look-up' ? found : `the void of ${found}`;
  const named = isVoid ? 'the void of this document' : 'this document';
  return {
    docUid,
    message: `The authority has registered ${whose} as ${euid}, which ${named} has here by an answer that was not its own. Whether ${named} is registered is not known.`,
  };
}

/** The same where the document itself was looked up, and is registered as something else than what it has here. Null when it was told before. */
export async function recordOwnMistake(
  { strayRegistrations }: Pick<Storage, 'strayRegistrations'>,
  tenant: Edb,
  { docUid, euid }: { readonly docUid: DocUid; readonly euid: string },
  { recordedAt, registration }: Pick<Found, 'recordedAt' | 'registration'>,
): Promise<Mistaken | null> {
  const { answer } = registration;
  const status = OUTBOUND_STATUS.accepted;
  const stray = { euid, act: 'look-up', status, registeredAt: null, recordedAt, answer } as const;
  if (!(await strayRegistrations.add(tenant, docUid, stray))) return null;
  const message = `The authority has registered this document as ${registration.euid}; ${euid}, which it has here, is that of another, by an answer that was not its own.`;
  return { docUid, message };
}
