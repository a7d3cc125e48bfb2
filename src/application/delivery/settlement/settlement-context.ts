import { OUTBOUND_STATUS, type OutboundEvent } from '../../../domain/documents/outbound-status.ts';
import type { Failure } from '../../errors/failure-catalogue.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { Delivery, DeliveryEvent, DeliveryNeeds } from '../delivery.ts';
import type { Change } from '../leased-write.ts';
import type { AttemptRecord, BegunAttempt } from '../settlement.ts';
import type { Mistaken } from './mistaken-owner.ts';

/** The attempt that is settled. */
export type Context = { readonly needs: DeliveryNeeds; readonly delivery: Delivery; readonly begun: BegunAttempt };
export type Outcome = DeliveryEvent['outcome'];
/** What is reported of it once it is on record. */
export type Settled = {
  readonly outcome: Outcome;
  readonly failure: Failure | null;
  readonly queue: 'stopped' | 'resumed' | null;
  /** What had the EUID of the document. */
  readonly mistaken?: Mistaken | null;
};

/** A preparation that failed passes through 30 like a send that failed. */
export function moveFrom30(context: Context, failure: Failure, event: OutboundEvent, more: object): Change {
  const { delivery, begun } = context;
  const from = begun.path.length === 0 ? OUTBOUND_STATUS.sent : delivery.document.status;
  return { kind: 'move', from, events: [...begun.path, event], record: { ...moveRecord(context, failure), ...more } };
}

/** Completes the record of the attempt, or makes it where the attempt is put on record only now. */
export async function end(
  { needs, delivery, begun }: Context,
  { deliveries }: Storage,
  record: AttemptRecord,
): Promise<void> {
  const { edb } = delivery.tenant;
  const { docUid } = delivery.document;
  const ordinal = begun.ordinal ?? (await deliveries.beginAttempt(edb, docUid, begun.act, begun.startedAt));
  await deliveries.endAttempt(edb, docUid, ordinal, { ...record, endedAt: needs.clock.now() });
}

export function moveRecord(
  { needs }: Context,
  { code, message: failureMessage, sentences: failureSentences }: Failure,
) {
  return { at: needs.clock.now(), failureCode: code, failureMessage, failureSentences };
}
