import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { ArrivalProblem } from '../../domain/documents/arrival-problem.ts';
import type { AuthorityStatus } from '../../domain/documents/authority-status.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { euidTime } from '../../domain/documents/euid.ts';
import { authorityCodeOf } from '../../domain/documents/outbound-document.ts';
import { NoRoomForAnswer } from '../errors/authority-answers.ts';
import {
  type Arrival,
  type ArrivalFacts,
  type Authority,
  AuthorityCallError,
  type CallErrorKind,
  type ListedArrival,
} from '../ports/authority.ts';
import type { Clock, Hasher } from '../ports/platform.ts';
import type { NewInbound } from '../ports/storage/inbound-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { FileToStore } from '../ports/stored-file.ts';
import { writeInEnvironment } from './write-in-environment.ts';

type Needs = {
  readonly storage: Storage;
  readonly authority: Pick<Authority, 'arrivedPdf'>;
  readonly hasher: Hasher;
  readonly clock: Clock;
};

/** What is known of a wanted document before it is fetched: nothing, when no list names it any more. */
export type WantedArrival = Pick<ListedArrival, 'euid'> & Partial<ListedArrival>;

/** Returns whether it was not there before. */
export type StoreArrival = (tenant: Tenant, wanted: WantedArrival, arrival: Arrival) => Promise<boolean>;

const DAY_MS = 86_400_000;
/** A request that is refused without a code of the authority is refused on the way. */
const MAY_PASS: ReadonlySet<CallErrorKind> = new Set(['unreachable', 'timeout', 'busy', 'signing', 'request-refused']);
/** A proxy that wants a password, or has waited for the request too long. */
const OF_PROXIES: ReadonlySet<number> = new Set([407, 408]);
/** A PDF that comes without the JSON around it. */
const BARE_PDF = /^"?(?:%PDF-|JVBERi0)/u;

/**
 * Stores an arrival with the authority's PDF of it. Throws when the PDF may be available later: then the document waits for it, but
 * for a day at most, or for as long as there is no room for it here.
 */
export function storeArrival({ storage, authority, hasher, clock }: Needs): StoreArrival {
  return async (tenant, wanted, arrival) => {
    const pdf = await pdfOf(tenant, arrival.euid);
    const files = {
      original: await storeLargeFile(arrival.original),
      pdf: pdf === null ? null : await storeLargeFile(pdf),
    };
    const document = newInbound(wanted, arrival, files);
    const now = clock.now();
    return writeInEnvironment(storage, tenant, async (tx) => {
      const { stored, isNew } = await tx.inbound.add(tenant.edb, document, now);
      const { unreadable } = arrival;
      if (isNew && unreadable !== null) {
        await tx.arrivalProblems.save(tenant.edb, unreadableArrival(arrival.euid, unreadable, stored.docUid, now));
      }
      return isNew;
    });

    function storeLargeFile(bytes: Uint8Array): Promise<FileToStore> {
      return storage.storeLargeFile(tenant.edb, { bytes, sha256: hasher.sha256(bytes) });
    }
  };

  /** Null when the authority has no PDF, or has not given it for a day; what it gives and we have no room for is not lost for that. */
  async function pdfOf(tenant: Tenant, euid: string): Promise<Uint8Array | null> {
    try {
      return await authority.arrivedPdf(tenant, euid);
    } catch (error) {
      if (!(error instanceof AuthorityCallError)) throw error;
      if (error instanceof NoRoomForAnswer || (mayPass(error) && !isOld(euid))) throw error;
      return null;
    }
  }

  function isOld(euid: string): boolean {
    const receivedAt = euidTime(euid);
    return receivedAt === null || clock.now() - receivedAt > DAY_MS;
  }
}

/**
 * Whether the failure says nothing about the PDF: no answer, the page of a proxy, a firewall or a login, whatever its HTTP status, or a code
 * about the time or the certificate. What the authority itself says of the PDF, a path that is not there, and a PDF in another form than
 * expected would be the same again.
 */
function mayPass({ kind, errors, httpStatus, isUncertain, answer }: AuthorityCallError): boolean {
  if (kind !== 'error') return MAY_PASS.has(kind);
  if (authorityCodeOf(errors) !== null) return !isUncertain;
  if (httpStatus !== null && httpStatus >= 400 && httpStatus < 500) return OF_PROXIES.has(httpStatus);
  return !BARE_PDF.test(answer ?? '');
}

/** It is not asked for again, since the answer would be the same. */
function unreadableArrival(euid: string, reason: string, docUid: DocUid, now: number): ArrivalProblem {
  const subject = euid.toLowerCase();
  return { subject, cause: 'unreadable', reason, since: now, failures: 0, dueAt: null, seenAt: now, docUid };
}

/** Two arrivals with the same EUID are the same document, whatever the case of its letters. */
export function deduplicationKey(euid: string): string {
  return `euid:${euid.toLowerCase()}`;
}

function newInbound(
  wanted: WantedArrival,
  { euid, facts }: Arrival,
  files: { readonly original: FileToStore; readonly pdf: FileToStore | null },
): NewInbound {
  const authorityStatus: AuthorityStatus | null = wanted.status ?? null;
  return {
    deduplicationKey: deduplicationKey(euid),
    ...files,
    ubl: null,
    fileName: `${euid}.json`,
    authorityStatus,
    ...factsOf(facts, wanted.facts),
  };
}

/** What the document itself does not say is taken from the authority's list. */
function factsOf(own: ArrivalFacts, listed: ArrivalFacts | undefined): ArrivalFacts {
  return {
    senderName: own.senderName ?? listed?.senderName ?? null,
    senderEdb: own.senderEdb ?? listed?.senderEdb ?? null,
    senderCountry: own.senderCountry ?? listed?.senderCountry ?? null,
    documentNumber: own.documentNumber ?? listed?.documentNumber ?? null,
    amount: own.amount ?? listed?.amount ?? null,
    currency: own.currency ?? listed?.currency ?? null,
  };
}
