import type { Edb } from '../../domain/accounts/edb.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { counted } from '../../domain/messages/message.ts';
import { UnusableAnswer } from '../errors/authority-answers.ts';
import type { AuthorityCallError } from '../ports/authority.ts';
import type { Clock } from '../ports/platform.ts';
import type { AuthorityRegister, ListedRegistration, RegisteredMarks } from '../ports/recovery/authority-register.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { settleFound } from './settle-found.ts';
import { tryEach } from './tries.ts';

type Needs = { readonly storage: Storage; readonly register: AuthorityRegister; readonly clock: Clock };

/**
 * `accepted`: the document is in 40 now. `stray`: it was cancelled here, or has another EUID. `lost`: the database does not have it. `unclear`:
 * whether the database has it cannot be told. No document of the same type and number is sent after any of them.
 */
export type Reconciled = {
  readonly tenant: Edb;
  readonly euid: string;
  readonly docTypeCode: string;
  readonly docNumber: string;
  readonly docDate: string;
  readonly outcome: 'accepted' | 'stray' | 'lost' | 'unclear';
  readonly docUid: DocUid | null;
};

/** One that could not be compared; number and date as the authority's list has them, empty where it does not say them. */
export type UnreadRegistration = Pick<Reconciled, 'tenant' | 'euid' | 'docNumber' | 'docDate'>;

type Compared = {
  readonly compared: number;
  readonly settled: readonly Reconciled[];
  readonly unread: readonly UnreadRegistration[];
  /** Why not all of them could be compared; null where all were. */
  readonly failure: string | null;
};

type FailedRegistration = { readonly item: ListedRegistration; readonly error: AuthorityCallError };

const MOST_OF_NUMBER = 100;
const MOST_FAILURES_IN_A_ROW = 10;

/**
 * One on which the authority fails keeps no other from being compared: its number would be free, if the hold is ended without it. What is on
 * record is not asked for again, so that a comparison that is repeated gets further each time.
 */
export async function compareRegistrations(
  needs: Needs,
  tenant: Tenant,
  registrations: readonly ListedRegistration[],
  progress: (done: number, total: number) => void,
): Promise<Compared> {
  const settled: Reconciled[] = [];
  const unknown: ListedRegistration[] = [];
  let compared = 0;
  let done = 0;

  async function compare(found: ListedRegistration, known: RegisteredMarks | null): Promise<void> {
    try {
      const outcome = await settle(needs, tenant, found, known);
      if (outcome !== null) settled.push(outcome);
      compared += 1;
    } finally {
      done += 1;
      progress(done, registrations.length);
    }
  }

  // Among those for which the authority is asked they would pass for its answers.
  for (const found of registrations) {
    const { euid } = found.registration;
    const known = await marksOnRecord(needs.storage, tenant.edb, euid);
    if (known !== null || (await isHere(needs.storage, tenant.edb, euid))) await compare(found, known);
    else unknown.push(found);
  }
  const { failed, untried } = await tryEach(unknown, MOST_FAILURES_IN_A_ROW, (found) => compare(found, null));
  const unread = [...failed.map(({ item }) => item), ...untried].map((one) => unreadOf(tenant.edb, one));
  return { compared, settled, unread, failure: failureIn(failed, unread.length) };
}

function unreadOf(tenant: Edb, { registration: { euid }, docNumber, docDate }: ListedRegistration): UnreadRegistration {
  return { tenant, euid, docNumber, docDate };
}

function failureIn([first]: readonly FailedRegistration[], left: number): string | null {
  if (first === undefined) return null;
  const sentence = failureAt(first.item.registration.euid, first.error);
  return left === 1 ? sentence : `${sentence}; ${counted(left, 'registration is', 'registrations are')} not compared`;
}

/** The authority may fail on one registration alone: whoever asks it about that must know which. */
function failureAt(euid: string, { message }: AuthorityCallError): string {
  return message.includes(euid) ? message : `${message}, when asked for what is registered as ${euid}`;
}

/** Null where the database knows of it. The authority is asked for what it has of one of which nothing is known. */
async function settle(
  needs: Needs,
  tenant: Tenant,
  found: ListedRegistration,
  known: RegisteredMarks | null,
): Promise<Reconciled | null> {
  const { storage, register, clock } = needs;
  const { edb } = tenant;
  const { registration } = found;
  const { euid } = registration;
  if (await isHere(storage, edb, euid)) return null;
  const marks = known ?? (await register.registeredMarks(tenant, found));
  // A void that is requested again is found at the authority before it is sent; the follow-up shows what it has voided.
  // None of ours is of another seller, who may have given it the number of one of ours.
  if (marks.isVoid || marks.isSentForAnother) return null;
  const { docTypeCode, docNumber, docDate, docId } = marks;
  // Nothing could keep a document of this number from being sent again.
  if (docNumber === '') throw new UnusableAnswer(`The authority shows no readable number of ${euid}`);
  const docUid = await ownDocument(needs, edb, marks);
  const told = { tenant: edb, euid, docTypeCode, docNumber, docDate, docUid };
  const taken = { euid, docTypeCode, docNumber, docDate, docId, foundAt: clock.now() };
  const takeNumber = () => storage.transaction((tx) => tx.lostRegistrations.add(edb, taken, tenant.environment));
  if (docUid !== null) {
    const outcome = await settleFound(storage, edb, docUid, registration, clock.now());
    // Nothing else keeps the number of one that is cancelled here: it may have been submitted once more.
    if (outcome !== 'accepted') await takeNumber();
    return outcome === null ? null : { ...told, outcome };
  }
  const isNew = await takeNumber();
  return isNew ? { ...told, outcome: docId === null ? 'unclear' : 'lost' } : null;
}

async function isHere({ outboundInquiries }: Storage, tenant: Edb, value: string): Promise<boolean> {
  return (await outboundInquiries.find(tenant, { by: 'euid', value }, 1)).length > 0;
}

/** What an earlier comparison has read; null where it has not, or not whose it is. */
async function marksOnRecord(
  { lostRegistrations }: Storage,
  tenant: Edb,
  euid: string,
): Promise<RegisteredMarks | null> {
  const known = await lostRegistrations.registeredAs(tenant, euid);
  return known === null || known.docId === null ? null : { ...known, isVoid: false, isSentForAnother: false };
}

/** The document here whose `docId` it has; none is known where it shows none. */
async function ownDocument(
  { storage, register }: Needs,
  tenant: Edb,
  { docId, docNumber }: RegisteredMarks,
): Promise<DocUid | null> {
  if (docId === null) return null;
  const mark = { by: 'documentNumber', value: docNumber } as const;
  const candidates = await storage.outboundInquiries.find(tenant, mark, MOST_OF_NUMBER);
  return candidates.find(({ docUid }) => register.docIdOf(tenant, docUid) === docId)?.docUid ?? null;
}
