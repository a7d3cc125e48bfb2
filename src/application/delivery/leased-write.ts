import type { OutboundEvent, OutboundStatus } from '../../domain/documents/outbound-status.ts';
import { isDatabaseFailure } from '../errors/commit-unknown.ts';
import type { CredentialStore } from '../ports/storage/credential-store.ts';
import type { DeliveryStore } from '../ports/storage/delivery-store.ts';
import type { MoveRecord } from '../ports/storage/outbound-store.ts';
import type { DeliveryHoldStore } from '../ports/storage/recovery/delivery-hold-store.ts';
import type { LostRegistrationStore } from '../ports/storage/recovery/lost-registration-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { TenantStore } from '../ports/storage/tenant-store.ts';
import type { Delivery } from './delivery.ts';

/** The document was cancelled, or the lease ran out and another worker has claimed it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export type Move = {
  readonly kind: 'move';
  readonly from: OutboundStatus;
  readonly events: OutboundEvent | readonly OutboundEvent[];
  readonly record: Omit<MoveRecord, 'lease'>;
  /** Keeps the lease until then; without it the move releases the document. */
  readonly keepUntil?: number;
};

/** What a worker may do to the document's own row: move it to another status, or release it without a move. */
export type Change = Move | { readonly kind: 'release'; readonly dueAt: number | null; readonly failures?: number };

export type LeasedWrite<Result> = {
  readonly change: Change;
  /** Whatever else belongs to the same transaction. */
  readonly also: (tx: Storage) => Promise<Result>;
};

/** What a decision may be based on within the transaction; nothing here writes. */
export type DecisionReads = {
  readonly deliveries: Pick<DeliveryStore, 'findDuplicate' | 'attempts' | 'registeredAs'>;
  readonly tenants: Pick<TenantStore, 'find' | 'queueState'>;
  readonly credentials: Pick<CredentialStore, 'find'>;
  readonly lostRegistrations: Pick<LostRegistrationStore, 'find'>;
  readonly deliveryHold: Pick<DeliveryHoldStore, 'isHeldFor'>;
};

/**
 * How a worker writes, but for a registration that comes too late (`settlement/late-registration.ts`). One transaction decides, changes the document's row `where lease = <token>`, and writes the
 * rest only when that row was changed: a worker that lost its lease writes nothing at all. The changed row stays locked until
 * the commit, so the lease cannot be lost in between. Null where the decision is that there is nothing to write.
 */
export function writeUnderLease<Result>(
  storage: Storage,
  delivery: Delivery,
  decide: (tx: DecisionReads) => Promise<LeasedWrite<Result> | null>,
): Promise<Result | null> {
  return storage.transaction(async (tx) => {
    const write = await decide(tx);
    if (write === null) return null;
    if (!(await apply(tx, delivery, write.change))) throw new LeaseLost();
    return write.also(tx);
  });
}

function apply(tx: Storage, { tenant, document, token }: Delivery, change: Change): Promise<boolean> {
  if (change.kind === 'release') {
    const { dueAt, failures } = change;
    return tx.deliveries.release(tenant.edb, document.docUid, token, {
      dueAt,
      ...(failures === undefined ? {} : { failures }),
    });
  }
  const { from, events, record, keepUntil } = change;
  const lease = { token, ...(keepUntil === undefined ? {} : { leaseUntil: keepUntil }) };
  return tx.outbound.move(tenant.edb, document.docUid, from, events, { ...record, lease });
}

type ReturnWrite = () => Promise<unknown>;

/** How a worker gives back the leases of documents, voids and recurring tasks on which it has failed. */
export type LeaseReturns = {
  /** Where the database is away the write waits for `tryAgain`. It must be guarded by the token: another worker may have claimed it by then. */
  readonly giveBack: (write: ReturnWrite) => Promise<void>;
  /** To be called with every look for due work, and by a stop at its end. */
  readonly tryAgain: () => Promise<void>;
};

/** Without it, what was under way in an outage of a second would wait for the end of its lease. */
export function createLeaseReturns(): LeaseReturns {
  const waiting: ReturnWrite[] = [];
  return {
    async giveBack(write) {
      await write().catch((error: unknown) => {
        if (!isDatabaseFailure(error)) throw error;
        waiting.push(write);
      });
    },
    async tryAgain() {
      for (let write = waiting.shift(); write !== undefined; write = waiting.shift()) {
        try {
          await write();
        } catch (error) {
          if (!isDatabaseFailure(error)) throw error;
          waiting.unshift(write);
          return;
        }
      }
    },
  };
}
