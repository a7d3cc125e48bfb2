import type { Edb } from '../../domain/accounts/edb.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { counted } from '../../domain/messages/message.ts';
import type { DeliveryHold } from '../../domain/operations/delivery-hold.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { tenantHold } from '../recovery/tenant-hold.ts';

const { received, processing, sent } = OUTBOUND_STATUS;
const NOT_OVER = [received, processing, sent];

/** What is refused while something of the tenant is on its way. */
type Refused = {
  /** The sentence that says so. */
  readonly because: string;
  /** What to do where delivery is held after a restore. */
  readonly afterRestore: readonly string[];
};

/**
 * The environment stays while something is on its way: a document of the test installation would be sent as a real one, and the
 * outcome of what was sent must be looked up where it was sent to, or it could be registered twice.
 */
export function refuseMoveWhileUnfinished(tx: Storage, { edb, environment }: Tenant): Promise<void> {
  return refuseWhileUnfinished(tx, edb, {
    because: `The environment stays ${environment}, because what was submitted for it must not reach another one.`,
    afterRestore: [
      `Set "--outbound off", reconcile, wait for the outcome, set the environment,`,
      `reconcile again, since the other environment was not compared, and set "--outbound on".`,
    ],
  });
}

/**
 * What was registered since a backup is looked for in the environment that a tenant is in. In test nothing of production is found, and the hold
 * would end: back in production, the tenant would have registered twice what its software submits again.
 */
export async function refuseMoveBeforeComparison(
  { deliveryHold }: Storage,
  { edb, environment }: Tenant,
): Promise<void> {
  if (environment !== 'production') return;
  const isAllHeld = ((await deliveryHold.find())?.restored ?? null) !== null;
  if (!isAllHeld && !(await deliveryHold.heldByThemselves()).includes(edb)) return;
  throw new OperatorError(
    'refused',
    `${edb} stays in production until "dostava reconcile" has compared it there after the restore: in test nothing of what it has registered in production would be found. "dostava release${isAllHeld ? '' : ` --tenant ${edb}`}" ends that without a comparison.`,
  );
}

export async function refuseWhileUnfinished(tx: Storage, edb: Edb, { because, afterRestore }: Refused): Promise<void> {
  const filter = { created: { from: null, to: null }, statuses: NOT_OVER, partnerEdb: null };
  const { totalCount } = await tx.outbound.list(edb, filter, { page: 1, pageSize: 1 });
  const voids = await tx.voids.countOpen(edb);
  if (totalCount + voids === 0) return;
  const sentences = [
    because,
    ...(totalCount === 0 ? [] : documentsNotOver(edb, totalCount)),
    ...(voids === 0 ? [] : [`${counted(voids, 'void is', 'voids are')} not over: wait for the outcome.`]),
    ...whileHeld(await tenantHold(tx, edb), afterRestore),
  ];
  throw new OperatorError('refused', sentences.join(' '));
}

/** Nothing comes to an end then, however long one waits. */
function whileHeld(hold: DeliveryHold | null, afterRestore: readonly string[]): readonly string[] {
  if (hold === null) return [];
  if (hold.restored === null) return [`Delivery is held (${hold.reason}): no outcome comes before "dostava release".`];
  return ['Delivery is held after a restore: no outcome comes before "dostava reconcile".', ...afterRestore];
}

function documentsNotOver(edb: string, documents: number): readonly string[] {
  const statuses = NOT_OVER.map((status) => `--status ${status}`).join(' ');
  return [
    `${counted(documents, 'document is', 'documents are')} not over ("dostava outbound list --tenant ${edb} ${statuses}"):`,
    `wait for the outcome, or cancel what is in status ${received} or ${processing}, in the console or by the call for it.`,
  ];
}
