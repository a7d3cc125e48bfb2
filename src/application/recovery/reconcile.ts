import type { Edb } from '../../domain/accounts/edb.ts';
import type { AuthorityEnvironment, Tenant } from '../../domain/accounts/tenant.ts';
import { counted } from '../../domain/messages/message.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { Clock } from '../ports/platform.ts';
import type { AuthorityRegister } from '../ports/recovery/authority-register.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { compareRegistrations, type Reconciled, type UnreadRegistration } from './compare-registrations.ts';
import { type Comparison, registeredSince } from './registered-since.ts';

type Needs = {
  readonly storage: Storage;
  readonly register: AuthorityRegister;
  readonly clock: Clock;
  readonly record: RecordCommand;
  /** So long after its timestamp a request may still be carried out, or be missing in the authority's lists. */
  readonly outcomeWindowMs: number;
};

/** What is known of one tenant's registrations; `nth` of the `tenants` is at work. */
export type ReconcileStep = {
  readonly tenant: Edb;
  readonly nth: number;
  readonly tenants: number;
  /** The authority's lists are read by windows of days, then each registration is compared. */
  readonly of: 'lists' | 'registrations';
  readonly done: number;
  readonly total: number;
  /** Of the tenants before this one. */
  readonly notCompared: number;
};

type Progress = (step: Pick<ReconcileStep, 'of' | 'done' | 'total'>) => void;

export type ReconcileOutcome = {
  /** Registrations since then that were compared. */
  readonly compared: number;
  readonly settled: readonly Reconciled[];
  /** Registrations that could not be compared: nothing keeps their numbers from being sent again once the hold of their tenant ends. */
  readonly unread: readonly UnreadRegistration[];
  /** Tenants for which the authority could not be asked. Where the others were compared, nothing is sent for these alone. */
  readonly failed: readonly { readonly tenant: Edb; readonly reason: string }[];
  /** Tenants whose documents that are dated ahead were not compared: the authority refuses to list days to come. */
  readonly aheadRefused: readonly { readonly tenant: Edb; readonly reason: string }[];
  /** Tenants without an account here: it may have been stored after the backup, and documents sent with it. Nothing is sent for them until they were compared. */
  readonly withoutAccount: readonly Edb[];
  /** Tenants with an account for which alone nothing is sent, since they were not compared. */
  readonly uncompared: readonly Edb[];
  /** Until then what was sent before the restore may be registered, so that the hold stays; null when that is over. */
  readonly repeatAfter: number | null;
  /** Whether the hold after a restore was ended by this, for all or for a tenant that was held by itself. */
  readonly isReleased: boolean;
  /** Why nothing is sent nevertheless: a hold that an operator began is not ended by this. */
  readonly stillHeld: string | null;
};

export type Reconcile = (since: number, progress: (step: ReconcileStep) => void) => Promise<ReconcileOutcome>;

const DAY_MS = 86_400_000;
/** As long as documents have to be kept; each month of it is a request for every tenant. */
const MOST_DAYS = 3_660;

/** Compares what the authority has registered since a time with the database, and settles what the database does not know. */
export function reconcile(needs: Needs): Reconcile {
  const { storage, clock, record } = needs;
  return async (given, progress) => {
    refuseUnusable(given, clock.now());
    const { since, repeatAfter, restoredAt } = await afterRestore(needs, given);
    const sinceOf = await sinceOfEach(storage, since);
    const tenants = await withAccount(storage);
    const settled: Reconciled[] = [];
    const unread: UnreadRegistration[] = [];
    const failed: { tenant: Edb; reason: string }[] = [];
    const aheadRefused: { tenant: Edb; reason: string }[] = [];
    const asked: Tenant[] = [];
    let compared = 0;
    const answering = new Set<AuthorityEnvironment>();
    for (const [index, tenant] of tenants.entries()) {
      const place = { tenant: tenant.edb, nth: index + 1, tenants: tenants.length, notCompared: failed.length };
      const comparison = { since: await sinceOf(tenant.edb), hasAnswered: answering.has(tenant.environment) };
      const found = await reconcileTenant(needs, tenant, comparison, (step) => progress({ ...place, ...step }));
      if (found.failure === null) answering.add(tenant.environment);
      else answering.delete(tenant.environment);
      compared += found.compared;
      settled.push(...found.settled);
      unread.push(...found.unread);
      if (found.aheadRefused !== null) aheadRefused.push({ tenant: tenant.edb, reason: found.aheadRefused });
      if (found.failure === null) asked.push(tenant);
      else failed.push({ tenant: tenant.edb, reason: found.failure });
    }
    const { notCompared, ...end } = await storage.transaction(async (tx) => {
      const notCompared = [...failed, ...(await movedSince(tx, asked))];
      const target = `${counted(compared, 'registration')}, ${settled.length} settled, ${counted(notCompared.length, 'taxpayer')} not asked`;
      await record(tx, { command: 'reconcile', target, tenant: null });
      const known = asked.filter(({ edb }) => notCompared.every(({ tenant }) => tenant !== edb));
      const isNoneKnown = known.length === 0 && notCompared.length > 0;
      const endsAt = isNoneKnown || repeatAfter !== null ? null : restoredAt;
      return { notCompared, ...(await endHolds(tx, tenants, known, endsAt)) };
    });
    return { compared, settled, unread, failed: notCompared, aheadRefused, repeatAfter, ...end };
  };
}

/**
 * Whoever was not compared is held by itself when the hold of all ends, and keeps nobody else. Whoever has no account cannot send either, but may have
 * sent something since the backup, before it lost it.
 */
async function endHolds(tx: Storage, withAccount: readonly Tenant[], known: readonly Tenant[], endsAt: number | null) {
  const asked = new Set(withAccount.map(({ edb }) => edb));
  const compared = new Set(known.map(({ edb }) => edb));
  const all = (await tx.tenants.list()).map(({ edb }) => edb);
  const withoutAccount = all.filter((edb) => !asked.has(edb));
  let isLate = false;
  for (const edb of compared) isLate = (await tx.deliveryHold.endUncompared(edb)) || isLate;
  const isEnded =
    endsAt !== null &&
    (await tx.deliveryHold.endRestored(
      endsAt,
      all.filter((edb) => !compared.has(edb)),
    ));
  const left = await tx.deliveryHold.find();
  const uncompared = (await tx.deliveryHold.uncompared()).map(({ tenant }) => tenant);
  // One that was held by itself is not released while all are held after another restore.
  const isReleased = isEnded || (isLate && (left?.restored ?? null) === null);
  return { withoutAccount, uncompared, isReleased, stillHeld: left?.reason ?? null };
}

/** Of a tenant that has gone to another environment meanwhile, nothing was compared there. */
async function movedSince({ tenants }: Storage, compared: readonly Tenant[]): Promise<ReconcileOutcome['failed']> {
  const present = new Map((await tenants.list()).map(({ edb, environment }) => [edb, environment]));
  return compared
    .filter(({ edb, environment }) => (present.get(edb) ?? environment) !== environment)
    .map(({ edb }) => ({ tenant: edb, reason: 'its environment was changed meanwhile' }));
}

function refuseUnusable(since: number, now: number): void {
  if (since > now) throw new OperatorError('refused', 'The time to reconcile from lies in the future.');
  if (since < now - MOST_DAYS * DAY_MS)
    throw new OperatorError('refused', 'The time to reconcile from lies more than ten years back.');
}

/**
 * From when on to compare a database that was restored, and until when that is too early. The last that it knows of was before the backup, whatever time
 * the operator gives: what was registered in between would be missed. What came while it was held after an earlier restore shows nothing of that.
 */
async function afterRestore({ storage, clock, outcomeWindowMs }: Needs, since: number) {
  const restored = (await storage.deliveryHold.find())?.restored ?? null;
  if (restored === null) return { since, repeatAfter: null, restoredAt: null };
  const lastKnown = await storage.deliveryHold.lastMoveBefore(restored.since);
  const over = restored.at + outcomeWindowMs;
  const repeatAfter = clock.now() < over ? over : null;
  return { since: Math.min(since, lastKnown ?? since), repeatAfter, restoredAt: restored.at };
}

async function reconcileTenant(needs: Needs, tenant: Tenant, comparison: Comparison, progress: Progress) {
  const listing = (done: number, total: number) => progress({ of: 'lists', done, total });
  const { registrations, ...listed } = await registeredSince(needs, tenant, comparison, listing);
  const comparing = (done: number, total: number) => progress({ of: 'registrations', done, total });
  const compared = await compareRegistrations(needs, tenant, registrations, comparing);
  // What was settled stays settled, whatever failed.
  return { ...compared, ...listed, failure: listed.failure ?? compared.failure };
}

/** A tenant that was not compared when the hold after a restore ended is compared from the backup on, however long ago that was. */
async function sinceOfEach({ deliveryHold }: Storage, since: number): Promise<(tenant: Edb) => Promise<number>> {
  const restored = new Map((await deliveryHold.uncompared()).map(({ tenant, restored }) => [tenant, restored.since]));
  // Mostly of one restore.
  const lastKnown = new Map<number, number | null>();
  return async (tenant) => {
    const restoredSince = restored.get(tenant);
    if (restoredSince === undefined) return since;
    const last = lastKnown.get(restoredSince) ?? (await deliveryHold.lastMoveBefore(restoredSince));
    lastKnown.set(restoredSince, last);
    return Math.min(since, last ?? since);
  };
}

async function withAccount({ credentials, tenants }: Storage): Promise<readonly Tenant[]> {
  const signing = new Set((await credentials.facts()).map(({ tenant }) => tenant));
  return (await tenants.list()).filter(({ edb, eujpId }) => eujpId !== null && signing.has(edb));
}
