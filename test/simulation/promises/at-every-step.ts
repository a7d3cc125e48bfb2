import type { RegisteredDocument } from '../../../simulator/state/registered-document.ts';
import { documentId } from '../../../src/adapters/ujp/preparation/document-id.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../../src/domain/documents/doc-uid.ts';
import type { Model } from '../clients/model.ts';
import type { SimulatedAuthority } from '../world/authority.ts';
import type { Committed } from '../world/history-database.ts';

type Row = {
  readonly tenant: Edb;
  readonly doc_uid: DocUid;
  readonly status: number;
  readonly euid: string | null;
  readonly code: string | null;
};

type Needs = {
  readonly committed: Committed;
  readonly authority: SimulatedAuthority;
  readonly model: Model;
};

const ACCEPTED = 40;
const CANCELLED = 60;
const NO_VOID = 0;

/** What must hold at every moment, whatever is under way. Cheap, because it is looked at after every event that changed something. */
export async function stepInvariants({ committed, authority, model }: Needs): Promise<() => void> {
  const ended = await committed.watch<Row>(
    `select tenant, doc_uid, status, euid, /*postgres cast(ujp as json)*/ /*sqlite ujp*/ ->> 'statusCode' as code
     from outbound where doc_uid is not null and status in (${ACCEPTED}, ${CANCELLED})`,
  );
  const docIds = new Map<DocUid, string>();
  /** How many changes of its status at the authority are known of a document. */
  const known = new Map<DocUid, number>();
  let seenVersion = -1;
  let seenRegistrations = -1;

  function docIdOf(tenant: Edb, docUid: DocUid): string {
    const docId = docIds.get(docUid) ?? documentId(tenant, docUid);
    docIds.set(docUid, docId);
    return docId;
  }

  function checkRegistrations(): void {
    const byId = new Set<string>();
    const byNumber = new Set<string>();
    for (const { seller, docId, docNumber, docStorno, docType } of authority.registered()) {
      const number = `${seller} ${docType} ${docNumber} ${docStorno}`;
      if (byId.has(`${seller} ${docId}`)) model.violate('one registration per document', `${seller} ${docId}`);
      if (docStorno === NO_VOID && byNumber.has(number)) model.violate('one registration per number', number);
      byId.add(`${seller} ${docId}`);
      byNumber.add(number);
    }
  }

  /** What the authority says later is never taken back by what it said before. */
  function checkStatus(docUid: DocUid, { history }: RegisteredDocument, code: string): void {
    const before = known.get(docUid) ?? 0;
    const at = history.findIndex(({ to }, index) => to === code && index >= before);
    if (at === -1)
      model.violate("the authority's status does not go back", `${docUid}: ${code} after change ${before}`);
    else known.set(docUid, at);
  }

  function checkDocuments(): void {
    const registrations = new Map(
      authority.registered().map((document) => [`${document.seller} ${document.docId}`, document] as const),
    );
    for (const { tenant, doc_uid: docUid, status, euid, code } of ended()) {
      const theirs = registrations.get(`${tenant} ${docIdOf(tenant, docUid)}`);
      const registered = theirs?.euid;
      // A clock of the authority that was set back dates the later change before the earlier one.
      if (theirs !== undefined && code !== null && authority.stepsBack() === 0) checkStatus(docUid, theirs, code);
      if (status === CANCELLED && registered !== undefined) {
        model.violate('cancelled is never registered', `${docUid} is registered as ${registered}`);
      }
      if (status === ACCEPTED && registered !== euid) {
        model.violate('accepted is registered with its EUID', `${docUid}: ${euid}, at the authority ${registered}`);
      }
    }
  }

  return () => {
    const version = committed.versions().documents;
    const registrations = authority.registrations();
    if (version === seenVersion && registrations === seenRegistrations) return;
    if (registrations !== seenRegistrations) checkRegistrations();
    seenVersion = version;
    seenRegistrations = registrations;
    checkDocuments();
  };
}
