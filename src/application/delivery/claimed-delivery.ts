import type { ConversionWarning } from '../../domain/documents/conversion-warning.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { endlessRetryPauseMs } from '../../domain/documents/retry-schedule.ts';
import { randomFraction } from '../../domain/values/random-values.ts';
import type { Failure } from '../errors/failure-catalogue.ts';
import type { Registration } from '../ports/authority.ts';
import type { StoredPayload } from '../ports/storage/delivery-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { FileToStore } from '../ports/stored-file.ts';
import { HOLD_KNOWN_MS } from '../recovery/hold-delivery.ts';
import { CHANGED_ACCOUNT_PAUSE_MS, isMendedSince } from './account-change.ts';
import { type Attempt, createAttempt } from './attempt.ts';
import type { Delivery, DeliveryNeeds } from './delivery.ts';
import { findDuplicate, givenUp, registeredBefore } from './duplicate-number.ts';
import { type Change, type DecisionReads, type LeasedWrite, writeUnderLease } from './leased-write.ts';
import { type Mistaken, recordOwnMistake } from './settlement/mistaken-owner.ts';
import { unforeseenFailureWrite } from './unforeseen-failure.ts';

/** A claimed document with everything its worker may do to it, each under the lease and reported once it is committed. */
export type ClaimedDelivery = Pick<Delivery, 'tenant' | 'document'> & {
  /**
   * Puts a send on record, before a byte leaves: from here on the document counts as sent. Null when a duplicate was faster:
   * the document has then failed; and when delivery is held meanwhile: it is then released as it was.
   */
  readonly beginSend: (payload: StoredPayload, requestTimestamp: string) => Promise<Attempt | null>;
  /** For an attempt that does not get as far as sending; it is put on record when it is settled. */
  readonly beginPreparation: () => Attempt;
  /** For a look-up, which changes nothing at the authority; it is put on record when it is settled. */
  readonly beginLookUp: () => Attempt;
  /** Puts on record that preparing it failed for a reason that nobody foresaw; ends the document after a few of these in a row. */
  readonly failUnforeseen: (startedAt: number, error: unknown) => Promise<void>;
  /** Ends the document because it cannot be delivered as it is; the warnings help whoever corrects it. */
  readonly giveUp: (failure: Failure, warnings: readonly ConversionWarning[]) => Promise<void>;
  /** Ends the document if another one of its kind and number is accepted or under way. */
  readonly endIfDuplicate: () => Promise<boolean>;
  /** Releases the document; a worker comes again at that time. */
  readonly postpone: (dueAt: number) => Promise<void>;
  /**
   * The authority did not give the container: it is asked for again, soon where the account was mended meanwhile. With the registration of
   * the document where that is another one than it has here.
   */
  readonly containerFailed: (own: Registration | null) => Promise<void>;
  /** Stores the authority's container; then there is nothing left to do. */
  readonly storeContainer: (file: FileToStore) => Promise<void>;
};

const { processing } = OUTBOUND_STATUS;

export function claimedDelivery(needs: DeliveryNeeds, delivery: Delivery): ClaimedDelivery {
  const { storage, clock } = needs;
  const { tenant, document } = delivery;
  const { edb } = tenant;
  const { docUid } = document;
  /** Through 20 to 30: a document that is tried again is in 20 already. */
  const send = document.status === processing ? (['send'] as const) : (['prepare', 'send'] as const);

  async function beginSend(payload: StoredPayload, requestTimestamp: string): Promise<Attempt | null> {
    const begun = await writeUnderLease<number | Failure | 'held'>(storage, delivery, async (tx) => {
      if (await tx.deliveryHold.isHeldFor(edb)) return leftHeld(clock.now());
      const duplicate = (await findDuplicate(tx, delivery)) ?? (await registeredBefore(tx, edb, payload));
      if (duplicate !== null) return ended(duplicate);
      const sentAt = clock.now();
      const record = { at: sentAt, failureCode: null, failureMessage: null };
      return {
        change: { kind: 'move', from: document.status, events: send, record, keepUntil: sentAt + needs.leaseMs },
        async also({ deliveries }) {
          await deliveries.savePayload(edb, docUid, { ...payload, requestTimestamp, sentAt });
          return deliveries.beginAttempt(edb, docUid, 'send', sentAt);
        },
      };
    });
    if (typeof begun === 'number') {
      return createAttempt(needs, delivery, { act: 'send', startedAt: clock.now(), ordinal: begun, path: [] });
    }
    if (begun !== null && begun !== 'held') reportFailed(begun);
    return null;
  }

  async function failUnforeseen(startedAt: number, error: unknown): Promise<void> {
    const failure = await writeUnderLease(storage, delivery, (tx) =>
      unforeseenFailureWrite(needs, delivery, { startedAt, error }, tx),
    );
    if (failure !== null) reportFailed(failure);
  }

  async function giveUp(failure: Failure, warnings: readonly ConversionWarning[]): Promise<void> {
    await release(ended(failure).change, ({ deliveries }) => deliveries.saveWarnings(edb, docUid, warnings));
    reportFailed(failure);
  }

  /** Most documents have no duplicate, so the first look is outside a transaction. */
  async function endIfDuplicate(): Promise<boolean> {
    if ((await findDuplicate(storage, delivery)) === null) return false;
    const duplicate = await writeUnderLease<Failure>(storage, delivery, async (tx) => {
      const found = await findDuplicate(tx, delivery);
      return found === null ? null : ended(found);
    });
    if (duplicate !== null) reportFailed(duplicate);
    return duplicate !== null;
  }

  function ended(failure: Failure): LeasedWrite<Failure> {
    return { change: givenUp(delivery, failure, clock.now()), also: async () => failure };
  }

  const reportFailed = ({ code, message }: Failure) =>
    needs.report({ outcome: 'failed', tenant, docUid, failureCode: code, message });

  async function release(change: Change, also: (tx: Storage) => Promise<void>): Promise<void> {
    await writeUnderLease(storage, delivery, async () => ({ change, also }));
  }

  return {
    tenant,
    document,
    beginSend,
    beginPreparation: () =>
      createAttempt(needs, delivery, { act: 'prepare', startedAt: clock.now(), ordinal: null, path: send }),
    beginLookUp: () =>
      createAttempt(needs, delivery, { act: 'look-up', startedAt: clock.now(), ordinal: null, path: [] }),
    failUnforeseen,
    giveUp,
    endIfDuplicate,
    postpone: (dueAt) => release({ kind: 'release', dueAt }, async () => undefined),
    containerFailed: (own) => containerFailed(needs, delivery, own),
    storeContainer: (file) =>
      release({ kind: 'release', dueAt: null, failures: 0 }, (tx) =>
        tx.deliveries.storeContainer(edb, docUid, file, clock.now()),
      ),
  };
}

async function containerFailed(needs: DeliveryNeeds, delivery: Delivery, own: Registration | null): Promise<void> {
  const told = await writeUnderLease(needs.storage, delivery, (tx) => containerRetry(needs, delivery, tx, own));
  if (told === null) return;
  needs.report({ ...told, outcome: 'stray-registration', tenant: delivery.tenant, failureCode: null });
}

/** Clients wait for it, and a missing right or an outage may last for days: it is asked for until it is there. */
async function containerRetry(
  { clock, random }: DeliveryNeeds,
  delivery: Delivery,
  reads: DecisionReads,
  own: Registration | null,
): Promise<LeasedWrite<Mistaken | null>> {
  const now = clock.now();
  const { edb } = delivery.tenant;
  const { docUid, euid } = delivery.document;
  const also = async (tx: Storage) =>
    own === null || euid === null
      ? null
      : recordOwnMistake(tx, edb, { docUid, euid }, { registration: own, recordedAt: now });
  // Decided here: whoever mends the account makes due what waits, but cannot do so with what a worker has in hand.
  if (await isMendedSince(reads, delivery, now)) {
    return { change: { kind: 'release', dueAt: now + CHANGED_ACCOUNT_PAUSE_MS }, also };
  }
  const failures = delivery.document.failures + 1;
  const dueAt = now + endlessRetryPauseMs(failures, randomFraction(random));
  return { change: { kind: 'release', dueAt, failures }, also };
}

/** Nothing counts as tried. It is claimed again once the hold is ended. */
function leftHeld(now: number): LeasedWrite<'held'> {
  return { change: { kind: 'release', dueAt: now + HOLD_KNOWN_MS }, also: async () => 'held' };
}
