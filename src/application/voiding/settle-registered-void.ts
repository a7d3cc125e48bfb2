import type { Edb } from '../../domain/accounts/edb.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import { VOIDED_STATUS } from '../../domain/documents/authority-status.ts';
import { isSameEuid } from '../../domain/documents/euid.ts';
import { otherOwner } from '../delivery/settlement/answer-to-another.ts';
import { type Mistaken, recordMistaken } from '../delivery/settlement/mistaken-owner.ts';
import { isDatabaseFailure } from '../errors/commit-unknown.ts';
import { AuthorityCallError, type Registration } from '../ports/authority.ts';
import type { OutboundVoid } from '../ports/storage/outbound/void-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { EndedVoidAttempt, VoidAttempt, VoidEvent, VoidNeeds } from './void-delivery.ts';

type Held = { readonly claimed: OutboundVoid; readonly token: string };

/**
 * Puts a registered void on record. A worker that lost its lease meanwhile settles it as well while it still waits for the
 * outcome of that very attempt; otherwise the registration is kept beside the document: an EUID is never thrown away. Nothing is
 * told of what was known already.
 */
export async function settleRegisteredVoid(
  needs: VoidNeeds,
  tenant: Tenant,
  { claimed, token }: Held,
  attempt: VoidAttempt,
  registration: Registration,
): Promise<readonly VoidEvent[]> {
  const { docUid, failures } = claimed;
  const name = await statusName(needs, tenant);
  const { euid: voidEuid, answer } = registration;
  const record = { outcome: 'registered', failureCode: null, message: null, answer } as const;
  return needs.storage.transaction(async (tx) => {
    const now = needs.clock.now();
    const ended = { dueAt: null, failures, failureCode: null, failureMessage: null, endedAt: now };
    const settle = (holder: string | null) =>
      tx.voids.settle(tenant.edb, docUid, holder, { ...ended, state: 'registered', voidEuid });
    const found = { act: attempt.act, recordedAt: now, registration, docUid };
    const mistaken = attempt.act === 'void-look-up' ? await findMistaken(tx, tenant.edb, found) : null;
    const isSettled = (await settle(token)) || ((await isLastSend(tx, claimed, attempt)) && (await settle(null)));
    await endVoidAttempt(tx, claimed, { attempt, record }, now);
    const event = { tenant, docUid, failureCode: null };
    const told = mistaken === null ? [] : [{ ...event, ...mistaken, state: 'stray-registration' } as const];
    if (isSettled) {
      await recordVoided(tx, claimed, registration, name, now);
      return [...told, { ...event, state: 'registered', message: null }];
    }
    const stray = await recordStray(tx, claimed, attempt, registration, now);
    return stray === null ? told : [...told, { ...event, state: 'stray-registration', message: stray }];
  });
}

async function findMistaken(
  tx: Storage,
  tenant: Edb,
  found: Parameters<typeof recordMistaken>[3],
): Promise<Mistaken | null> {
  const own = { docUid: found.docUid, isVoid: true };
  const owner = await otherOwner(tx, tenant, found.registration.euid, own);
  return owner === null ? null : recordMistaken(tx, tenant, owner, found);
}

/** Completes the record of the attempt, or makes it where the attempt is put on record only now. */
export async function endVoidAttempt(
  { deliveries }: Storage,
  { tenant, docUid }: OutboundVoid,
  { attempt, record }: EndedVoidAttempt,
  now: number,
): Promise<void> {
  const ordinal = attempt.ordinal ?? (await deliveries.beginAttempt(tenant, docUid, attempt.act, attempt.startedAt));
  await deliveries.endAttempt(tenant, docUid, ordinal, { ...record, endedAt: now });
}

/** What a look-up finds has the void's own `docId`: it is the outcome of whichever send was the last. */
async function isLastSend(
  { deliveries }: Storage,
  { tenant, docUid }: OutboundVoid,
  { act, ordinal }: VoidAttempt,
): Promise<boolean> {
  return act === 'void-look-up' || (await deliveries.lastAttempt(tenant, docUid, 'void-send')) === ordinal;
}

async function recordStray(
  tx: Storage,
  { tenant, docUid }: OutboundVoid,
  { act }: VoidAttempt,
  { euid, registeredAt, answer }: Registration,
  now: number,
): Promise<string | null> {
  const current = await tx.voids.find(tenant, docUid);
  if (isSameEuid(current?.voidEuid, euid)) return null;
  const document = await tx.outbound.find(tenant, docUid);
  if (document === null) throw new Error(`The void of ${docUid} was registered as ${euid}, but is not there any more`);
  const stray = { euid, act, status: document.status, registeredAt, recordedAt: now, answer };
  if (!(await tx.strayRegistrations.add(tenant, docUid, stray))) return null;
  // The follow-up shows what became of the document itself.
  await tx.recurringTasks.runNow(tenant, 'follow', now);
  return `The authority has registered the void as ${euid}, but here it is ${current?.state ?? 'not on record'}.`;
}

/** The document shows at once that it is voided; the follow-up confirms it with the authority's own words. */
async function recordVoided(
  tx: Storage,
  { tenant, docUid, reason }: OutboundVoid,
  { registeredAt }: Registration,
  name: string | null,
  now: number,
): Promise<void> {
  const document = await tx.outbound.find(tenant, docUid);
  const euid = document?.ujp?.euid ?? null;
  if (euid === null) return;
  // Never our own time: it would be compared with the authority's.
  const at = registeredAt === null ? null : Date.parse(registeredAt);
  const words = [`${reason.code} ${reason.name}`, ...(reason.comment === null ? [] : [reason.comment])].join('; ');
  const change = { euid, status: { code: VOIDED_STATUS, name }, from: null, at, reason: words };
  await tx.deliveries.recordAuthorityStatus(tenant, change, now);
  await tx.recurringTasks.runNow(tenant, 'follow', now);
}

/** The void is registered: that its name cannot be read must not turn it into a failure, nor must a stop of the process. */
async function statusName({ readList }: VoidNeeds, tenant: Tenant): Promise<string | null> {
  try {
    return (await readList(tenant, 'document-statuses')).find(({ code }) => code === VOIDED_STATUS)?.name ?? null;
  } catch (error) {
    if (error instanceof AuthorityCallError || isDatabaseFailure(error)) return null;
    throw error;
  }
}
