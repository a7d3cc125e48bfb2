import { AuthorityFault } from './authority.ts';
import type { Delivery, DeliveryNeeds } from './delivery.ts';
import { type Failure, failureOf, recordedCode } from './delivery-failure.ts';
import type { Attempt, AttemptOutcome, StoredPayload } from './delivery-ports.ts';
import { fetchFinal } from './fetch-final.ts';
import type { Storage } from './ports.ts';
import { accept, beginProcessing, beginSending, giveUp, reject, report, tryAgain } from './settle-delivery.ts';

/** How soon an answer that was lost is looked for. */
const FIRST_LOOK_MS = 2_000;

/** `E1023`: there is a document under our identifier. Then it is this one, and an earlier answer was lost. */
const ALREADY_THERE = 'E1023';

type Ready = { readonly payload: StoredPayload; readonly requestTimestamp: string };

/** Prepares a document, puts the attempt on record, hands the document to the authority and settles what came of it. */
export async function handOver(needs: DeliveryNeeds, delivery: Delivery): Promise<void> {
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
    await fetchFinal(needs, delivery, registration.euid);
  } catch (error) {
    if (!(error instanceof AuthorityFault)) throw error;
    await settleFault(needs, delivery, ordinal, error);
  }
}

/** The document in the authority's form and the time to sign; null when it came to no more than that. */
async function makeReady(needs: DeliveryNeeds, delivery: Delivery): Promise<Ready | null> {
  const { storage, authority } = needs;
  const { tenant, document } = delivery;
  try {
    const stored = await storage.deliveries.payload(tenant.edb, document.docUid);
    const payload = stored ?? (await prepare(needs, delivery));
    if (payload === null) return null;
    return { payload, requestTimestamp: await authority.requestTimestamp(tenant) };
  } catch (error) {
    if (!(error instanceof AuthorityFault)) throw error;
    await couldNotAsk(needs, delivery, error);
    return null;
  }
}

async function prepare(needs: DeliveryNeeds, delivery: Delivery): Promise<StoredPayload | null> {
  const { storage, authority, reader } = needs;
  const { tenant, document } = delivery;
  const duplicate = await findDuplicate(storage, delivery);
  if (duplicate !== null) return refuse(duplicate);
  const file = await storage.outbound.file(tenant.edb, document.docUid, 'ubl');
  if (file === null) throw new Error(`The file of document ${document.docUid} is missing`);
  const content = await reader.content(file.bytes);
  const preparation = await authority.prepare(tenant, document.docUid, content, (number, date) =>
    storage.deliveries.findAccepted(tenant.edb, number, date),
  );
  if (preparation.outcome === 'failed') {
    return refuse({ code: preparation.failureCode, message: preparation.message });
  }
  return { ...preparation.document, warnings: preparation.warnings, requestTimestamp: null, sentAt: null };

  async function refuse(failure: Failure): Promise<null> {
    await storage.transaction((tx) => giveUp(tx, needs, delivery, document.status, failure));
    report(needs, delivery, 'failed', failure);
    return null;
  }
}

async function findDuplicate(from: Storage, { tenant, document }: Delivery): Promise<Failure | null> {
  const rival = await from.deliveries.findRival(tenant.edb, document);
  if (rival === null) return null;
  const message = `Document ${rival} of the same kind has the same number and is accepted or under way.`;
  return { code: 'DUPLICATE-NUMBER', message };
}

/** Written down before a byte leaves. Null when another document of the same number was faster. */
async function begin(needs: DeliveryNeeds, delivery: Delivery, ready: Ready): Promise<number | null> {
  const { storage, clock } = needs;
  const { tenant, document } = delivery;
  const begun = await storage.transaction(async (tx): Promise<number | Failure> => {
    const duplicate = await findDuplicate(tx, delivery);
    if (duplicate !== null) {
      await giveUp(tx, needs, delivery, document.status, duplicate);
      return duplicate;
    }
    await beginProcessing(tx, needs, delivery);
    await beginSending(tx, needs, delivery);
    const { payload, requestTimestamp } = ready;
    await tx.deliveries.savePayload(tenant.edb, document.docUid, { ...payload, requestTimestamp, sentAt: clock.now() });
    return tx.deliveries.beginAttempt(tenant.edb, document.docUid, 'send', clock.now());
  });
  if (typeof begun === 'number') return begun;
  report(needs, delivery, 'failed', begun);
  return null;
}

/** The authority could not even be asked for what the document needs. That counts as an attempt, whose outcome is known. */
async function couldNotAsk(needs: DeliveryNeeds, delivery: Delivery, fault: AuthorityFault): Promise<void> {
  const { storage, clock } = needs;
  const { tenant, document } = delivery;
  const [outcome, failure] = await storage.transaction(async (tx) => {
    const duplicate = await findDuplicate(tx, delivery);
    if (duplicate !== null) {
      await giveUp(tx, needs, delivery, document.status, duplicate);
      return ['failed', duplicate] as const;
    }
    await beginProcessing(tx, needs, delivery);
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
  fault: AuthorityFault,
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
  fault: AuthorityFault,
): Promise<'retry' | 'failed'> {
  const failure = failureOf(fault);
  await end(tx, needs, delivery, ordinal, { outcome: 'failed', ...recorded(fault) });
  if (fault.kind === 'credentials') await tx.tenants.stop(delivery.tenant.edb, failure.message, needs.clock.now());
  return tryAgain(tx, needs, delivery, failure);
}

function recorded(fault: AuthorityFault): Pick<Attempt, 'failureCode' | 'message' | 'answer'> {
  return { failureCode: recordedCode(fault), message: fault.message, answer: fault.answer };
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
