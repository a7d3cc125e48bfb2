import { skopjeInstants } from '../../../src/adapters/ujp/gateway/skopje-time.ts';
import { documentId } from '../../../src/adapters/ujp/preparation/document-id.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../../src/domain/documents/doc-uid.ts';
import type { Model } from '../clients/model.ts';
import type { SimulatedAuthority } from '../world/authority.ts';
import type { Committed } from '../world/history-database.ts';

type Needs = { readonly committed: Committed; readonly authority: SimulatedAuthority; readonly model: Model };

type Row = {
  readonly tenant: Edb;
  readonly doc_uid: DocUid;
  readonly ordinal: number;
  readonly request_timestamp: string | null;
};

/** By its own clock the authority carries out no request that is older; the time in a request has whole seconds. */
const TOO_OLD_MS = 300_000 - 1_000;

/**
 * A document that counts as not registered is not, and no request on its way can change that. To be looked at after every event. An
 * authority whose clock was set back may carry out what was too old before.
 */
export async function believedAbsence({ committed, authority, model }: Needs): Promise<() => void> {
  const believed = await committed.watch<Row>(
    `select attempt.tenant, attempt.doc_uid, ordinal, request_timestamp
     from outbound_attempt as attempt left join outbound_payload as payload
       on payload.tenant = attempt.tenant and payload.doc_uid = attempt.doc_uid
     where act = 'look-up' and outcome = 'not-registered'`,
  );
  const known = new Set<string>();
  let seen = -1;

  function check({ tenant, doc_uid: docUid, request_timestamp: timestamp }: Row): void {
    const docId = documentId(tenant, docUid);
    const found = authority.registered().find((document) => document.seller === tenant && document.docId === docId);
    if (found !== undefined) model.violate('what counts as missing is not there', `${docUid} is ${found.euid}`);
    // Of a document that is prepared anew, what was sent is gone.
    const [madeAt = Number.NEGATIVE_INFINITY] = skopjeInstants(timestamp);
    const ageMs = authority.now() - madeAt;
    if (ageMs < TOO_OLD_MS) model.violate('what counts as missing cannot arrive', `${docUid}: ${ageMs} ms old`);
  }

  return () => {
    const { documents } = committed.versions();
    if (documents === seen) return;
    seen = documents;
    for (const row of believed()) {
      const name = `${row.doc_uid} ${row.ordinal}`;
      if (known.has(name)) continue;
      known.add(name);
      if (authority.stepsBack() === 0) check(row);
    }
  };
}
