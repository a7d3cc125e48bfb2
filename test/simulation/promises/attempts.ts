import type { Engine } from '../../../src/adapters/sql/engine.ts';
import { documentId } from '../../../src/adapters/ujp/preparation/document-id.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../../src/domain/documents/doc-uid.ts';
import type { Model } from '../clients/model.ts';
import type { Replica } from '../replica/replica.ts';
import type { SimulatedAuthority } from '../world/authority.ts';
import type { Fault, FaultPlan } from '../world/fault-plan.ts';

type Needs = {
  readonly engine: Engine;
  readonly authority: SimulatedAuthority;
  readonly model: Model;
  readonly replicas: readonly Replica[];
  readonly plan: FaultPlan;
};

type Row = {
  readonly tenant: Edb;
  readonly doc_uid: DocUid;
  readonly act: string;
  readonly outcome: string | null;
  readonly failure_code: string | null;
};

/** Every fault of a history is one that the service knows how to meet. */
const UNFORESEEN = 'SERVICE-ERROR';

/** What attempts on record must say. */
export async function checkAttempts({ engine, authority, model, replicas, plan }: Needs): Promise<void> {
  const rows = await engine.all<Row>('select tenant, doc_uid, act, outcome, failure_code from outbound_attempt', []);
  for (const { doc_uid: docUid, act, failure_code: code } of rows) {
    if (code === UNFORESEEN) model.violate('nothing is unforeseen', `${act} of ${docUid}`);
  }
  const ended = new Set(
    rows.flatMap(({ tenant, doc_uid: docUid, act, outcome }) =>
      outcome === 'registered' && act.endsWith('send')
        ? [documentId(tenant, docUid, act === 'void-send' ? 'void' : undefined)]
        : [],
    ),
  );
  const docIds = new Map(authority.registered().map(({ euid, docId }) => [euid, docId]));
  for (const { replica, euid } of model.toldRegistrations) {
    const { index } = replicas.find(({ name }) => name === replica) ?? { index: -1 };
    if (plan.some((fault) => mayLoseWrites(fault, index)) || ended.has(docIds.get(euid) ?? '')) continue;
    model.violate('an EUID is never thrown away', `${euid}, told to ${replica}`);
  }
}

/** Whether a process may have been unable to write down what it was told; others find it out by a look-up. */
function mayLoseWrites({ kind, replica }: Fault, index: number): boolean {
  if (kind === 'database restart') return true;
  // One that stands still may hold the lock for which others wait in vain.
  if (kind === 'pause') return replica !== index;
  return replica === index && kind !== 'cut answer' && LOSING.some((word) => kind.includes(word));
}

const LOSING = ['crash', 'busy', 'error', 'commit', 'cut'];
