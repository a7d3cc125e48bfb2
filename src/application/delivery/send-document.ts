import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { AuthorityCallError } from '../ports/authority.ts';
import type { Attempt, AttemptOutcome, StoredPayload } from '../ports/storage/delivery-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { Delivery, DeliveryNeeds } from './delivery.ts';
import { ALREADY_THERE, type Failure, failureOf, recorded } from './delivery-failure.ts';
import { accept, accountRefused, beginSending, giveUp, reject, report, tryAgain } from './settle-delivery.ts';

/** How soon an answer that was lost is looked for. */
const FIRST_LOOK_MS = 2_000;

type Ready = { readonly payload: StoredPayload; readonly requestTimestamp: string };

/** Prepares a document, puts the attempt on record, hands the document to the authority and settles what came of it. */
export async function sendDocument(needs: DeliveryNeeds, delivery: Delivery): Promise<void> {
  const ready = await makeReady(needs, delivery);
  if (ready === null) return;
  const ordinal = await begin(needs, delivery, ready);
  if (ordinal === null) return;
  try {
    const registration = await needs.authority.send(delivery.tenant, ready.payload, ready.requestTimestamp);
    await needs.storage.transaction(async (tx) => {
      await end(tx, needs, delivery, ordinal, { outcome: 'registered', answer: registration.answer });
      await accept(tx, needs, delivery, registration);
    });
    report(needs, delivery, 'accepted');
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    await settleFault(needs, delivery, ordinal, error);
  }
}

/** The document in the authority's form and the time to sign; null when it came to no more than that. */
async function makeReady(needs: DeliveryNeeds, delivery: Delivery): Promise<Ready | null> {
  const { storage, authority } = needs;
  const { tenant, document } = delivery;
  try {
    const isFirstTime = document.status === OUTBOUND_STATUS.received;
    const stored = isFirstTime ? null : await storage.deliveries.payload(tenant.edb, document.docUid);
    const payload = stored ?? (await prepare(needs, delivery));
    if (payload === null) return null;
    return { payload, requestTimestamp: await authority.requestTimestamp(tenant) };
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    await couldNotAsk(needs, delivery, error);
    return null;
  }
}

async function prepare(needs: DeliveryNeeds, delivery: Delivery): Promise<StoredPayload | null> {
  const { storage, authority, reader } = needs;
  const { tenant, document } = delivery;
  if ((await findDuplicate(storage, delivery)) !== null) {
    const duplicate = await storage.transaction((tx) => giveWay(tx, needs, delivery));
    if (duplicate !== null) return reported(duplicate);
  }
  const file = await storage.outbound.file(tenant.edb, document.docUid, 'ubl');
  if (file === null) throw new Error(`The file of document ${document.docUid} is missing`);
  const content = await reader.content(file.bytes);
  const preparation = await authority.prepare(tenant, document.docUid, content, (number, date) =>
    storage.deliveries.findAccepted(tenant.edb, number, date),
  );
  if (preparation.outcome === 'failed') {
    const failure = { code: preparation.failureCode, message: preparation.message };
    await storage.transaction((tx) => giveUp(tx, needs, delivery, document.status, failure));
    return reported(failure);
  }
  return { ...preparation.document, warnings: preparation.warnings, requestTimestamp: null, sentAt: null };

  function reported(failure: Failure): null {
    report(needs, delivery, 'failed', failure);
    return null;
  }
}

async function findDuplicate(from: Storage, { tenant, document }: Delivery): Promise<Failure | null> {
  const rival = await from.deliveries.findDuplicate(tenant.edb, document);
  if (rival === null) return null;
  const message = `Document ${rival} of the same kind has the same number and is accepted or under way.`;
  return { code: 'DUPLICATE-NUMBER', message };
}

/** Ends a document that has a rival. Within a transaction: of two that see each other, the second sees the first gone. */
async function giveWay(tx: Storage, needs: DeliveryNeeds, delivery: Delivery): Promise<Failure | null> {
  const duplicate = await findDuplicate(tx, delivery);
  if (duplicate !== null) await giveUp(tx, needs, delivery, delivery.document.status, duplicate);
  return duplicate;
}

/** Written down before a byte leaves. Null when another document of the same number was faster. */
async function begin(needs: DeliveryNeeds, delivery: Delivery, ready: Ready): Promise<number | null> {
  const { storage, clock } = needs;
  const { tenant, document } = delivery;
  const begun = await storage.transaction(async (tx): Promise<number | Failure> => {
    const duplicate = await giveWay(tx, needs, delivery);
    if (duplicate !== null) return duplicate;
    await beginSending(tx, needs, delivery);
    const { payload, requestTimestamp } = ready;
    const sentAt = clock.now();
    await tx.deliveries.savePayload(tenant.edb, document.docUid, { ...payload, requestTimestamp, sentAt });
    return tx.deliveries.beginAttempt(tenant.edb, document.docUid, 'send', sentAt);
  });
  if (typeof begun === 'number') return begun;
  report(needs, delivery, 'failed', begun);
  return null;
}

/** The authority could not even be asked for what the document needs. That counts as an attempt, whose outcome is known. */
async function couldNotAsk(needs: DeliveryNeeds, delivery: Delivery, fault: AuthorityCallError): Promise<void> {
  const { storage, clock } = needs;
  const { tenant, document } = delivery;
  const [outcome, failure] = await storage.transaction(async (tx) => {
    const duplicate = await giveWay(tx, needs, delivery);
    if (duplicate !== null) return ['failed', duplicate] as const;
    await beginSending(tx, needs, delivery);
    const ordinal = await tx.deliveries.beginAttempt(tenant.edb, document.docUid, 'prepare', clock.now());
    return [await settleFailed(tx, needs, delivery, ordinal, fault), failureOf(fault)] as const;
  });
  report(needs, delivery, outcome, failure);
}

async function settleFault(
  needs: DeliveryNeeds,
  delivery: Delivery,
  ordinal: number,
  fault: AuthorityCallError,
): Promise<void> {
  const { storage, clock } = needs;
  const failure = failureOf(fault);
  const isAlreadyThere = fault.errors.some(({ code }) => code === ALREADY_THERE);
  const outcome = await storage.transaction(async (tx) => {
    if (fault.isUncertain || isAlreadyThere) {
      await end(tx, needs, delivery, ordinal, { outcome: 'unknown', ...recorded(fault) });
      const { tenant, document, token } = delivery;
      const dueAt = clock.now() + FIRST_LOOK_MS;
      await tx.deliveries.release(tenant.edb, document.docUid, token, { dueAt });
      return 'unknown';
    }
    if (fault.kind !== 'refused') return settleFailed(tx, needs, delivery, ordinal, fault);
    await end(tx, needs, delivery, ordinal, { outcome: 'refused', ...recorded(fault) });
    await reject(tx, needs, delivery, failure, fault.errors);
    return 'rejected';
  });
  report(needs, delivery, outcome, failure);
}

/** The authority certainly does not have the document. */
async function settleFailed(
  tx: Storage,
  needs: DeliveryNeeds,
  delivery: Delivery,
  ordinal: number,
  fault: AuthorityCallError,
): Promise<'retry' | 'failed'> {
  const failure = failureOf(fault);
  await end(tx, needs, delivery, ordinal, { outcome: 'failed', ...recorded(fault) });
  const settle = fault.kind === 'credentials' ? accountRefused : tryAgain;
  return settle(tx, needs, delivery, failure);
}

async function end(
  tx: Storage,
  { clock }: DeliveryNeeds,
  { tenant, document }: Delivery,
  ordinal: number,
  how: { readonly outcome: AttemptOutcome } & Partial<Attempt>,
): Promise<void> {
  const { outcome, failureCode = null, message = null, answer = null } = how;
  const attemptEnd = { endedAt: clock.now(), outcome, failureCode, message, answer };
  await tx.deliveries.endAttempt(tenant.edb, document.docUid, ordinal, attemptEnd);
}
