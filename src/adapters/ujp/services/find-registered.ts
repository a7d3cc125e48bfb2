import {
  type Authority,
  AuthorityCallError,
  type PreparedDocument,
  REFUSALS,
  type Registration,
} from '../../../application/ports/authority.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { NEW_STATUS } from '../../../domain/documents/authority-status.ts';
import { euidTime } from '../../../domain/documents/euid.ts';
import { formatInstant } from '../../../domain/values/instant.ts';
import { isTooMuch, shortened } from '../answers/answer-error.ts';
import { isJsonObject } from '../answers/json-object.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { type InstallationUrls, qrLinkOf, urlsOf } from '../gateway/authority-urls.ts';
import type { AuthorityQueries, LookedUpDocument } from './authority-queries.ts';
import {
  DRAFT,
  listedByEuid,
  type RegisteredDocument,
  registeredDocuments,
  registeredOn,
} from './registered-documents.ts';
import {
  documentIn,
  findByDocId,
  firstWithDocId,
  type KnownDocument,
  registeredContent,
} from './registered-payloads.ts';

type Needs = { readonly caller: AuthorityCaller; readonly urls: InstallationUrls };
type Match = RegisteredDocument & { readonly isPresumed?: true };

const MISSING_RIGHT = 'E1011';
/** An invoice, a credit note, a void and a few corrections may share number and date; more are asked for together. */
const MOST_ONE_BY_ONE = 20;
const BATCH_SIZE = 100;

/** Finds a sent document by its `docId`; another document may have the same number and date. */
export function findRegistered(needs: Needs): Authority['findRegistered'] {
  const underNumber = registeredUnderNumber(needs);
  return async (tenant, document, knownAs) => {
    const known = knownAs === undefined ? null : await underEuid(needs, tenant, document, knownAs);
    return known ?? (await underNumber(tenant, document)).registration;
  };
}

/** One payload, where the list of a day may have megabytes. Null where none is known by the EUID, or another document. */
async function underEuid(
  { caller, urls }: Needs,
  tenant: Tenant,
  { docId, docNumber, docDate }: LookedUpDocument,
  euid: string,
): Promise<Registration | null> {
  try {
    const content = await registeredContent(caller, tenant, { euid, docNumber, docDate });
    return content.docId === docId ? registrationOf(listedByEuid(euid, docDate), urls, tenant) : null;
  } catch (error) {
    if (error instanceof AuthorityCallError && mayBeAnother(error)) return null;
    throw error;
  }
}

/** Without the right no other payload is given either, and one that did not come says nothing: then the list of the day would show no more. */
function mayBeAnother(error: AuthorityCallError): boolean {
  return !lacksRight(error) && (REFUSALS.has(error.kind) || error.kind === 'error');
}

function lacksRight({ errors }: AuthorityCallError): boolean {
  return errors.some(({ code }) => code === MISSING_RIGHT);
}

export function registeredUnderNumber({ caller, urls }: Needs): AuthorityQueries['registeredUnderNumber'] {
  return async (tenant, document) => {
    const candidates = await candidatesFor(caller, tenant, document);
    const match = await matchOf(caller, tenant, document, candidates);
    const registration = match === null ? null : registrationOfMatch(match, urls, tenant);
    // On a day whose list was not to be had this may be said of a number that is free: then another one is used.
    return { registration, isNumberTaken: candidates.length > 0 };
  };
}

/** Those with its number; on a day whose list does not fit into an answer or does not come in time, all of that day. The nearest to its send come first. */
async function candidatesFor(
  caller: AuthorityCaller,
  tenant: Tenant,
  { docNumber, docDate, sentAt = null }: LookedUpDocument,
): Promise<readonly RegisteredDocument[]> {
  const found = await registeredDocuments(caller, tenant, docNumber, docDate).catch((error: unknown) => {
    if (isTooMuch(error)) return registeredOn(caller, tenant, docDate);
    throw error;
  });
  const distance = ({ euid }: RegisteredDocument) => Math.abs((euidTime(euid) ?? 0) - (sentAt ?? 0));
  const distinct = [...new Map(found.map((one) => [one.euid.toLowerCase(), one])).values()];
  return sentAt === null ? distinct : distinct.toSorted((one, other) => distance(one) - distance(other));
}

async function matchOf(
  caller: AuthorityCaller,
  tenant: Tenant,
  document: LookedUpDocument,
  candidates: readonly RegisteredDocument[],
): Promise<Match | null> {
  try {
    if (candidates.length > MOST_ONE_BY_ONE) return await matchAmongMany(caller, tenant, document, candidates);
    const contentFor = (known: KnownDocument) => registeredContent(caller, tenant, known);
    const match = await firstWithDocId(candidates, document, contentFor);
    return candidates.find(({ euid }) => euid === match) ?? null;
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    const mayNotRead = lacksRight(error);
    const presumed = mayNotRead ? await presumedMatch(document, candidates) : undefined;
    if (presumed !== undefined) return presumed;
    // The authority refused the download, not the document: that must not count as a rejection.
    if (REFUSALS.has(error.kind)) throw undecidedError(error, mayNotRead);
    throw error;
  }
}

async function matchAmongMany(
  caller: AuthorityCaller,
  tenant: Tenant,
  sought: PreparedDocument,
  candidates: readonly RegisteredDocument[],
): Promise<RegisteredDocument | null> {
  for (let first = 0; first < candidates.length; first += BATCH_SIZE) {
    const batch = candidates.slice(first, first + BATCH_SIZE);
    const match = await findByDocId(caller, tenant, batch, sought);
    if (match !== null) return batch.find(({ euid }) => euid === match) ?? null;
  }
  return null;
}

/** Without the right to download payloads (E1011) only the amount can be compared. Undefined where that does not decide. */
async function presumedMatch(
  document: LookedUpDocument,
  candidates: readonly RegisteredDocument[],
): Promise<Match | null | undefined> {
  const number = document.docNumber.trim();
  const [only, ...others] = candidates.filter(({ docNumber }) => docNumber === null || docNumber === number);
  if (only === undefined || others.length > 0 || only.docNumber === null || only.status.code === DRAFT)
    return undefined;
  const amount = amountIn(document);
  if (amount === null || only.finalAmount === null) return undefined;
  // Ours may be one that is listed in other letters.
  if (amount !== only.finalAmount) return candidates.length > 1 ? undefined : null;
  // Asked now: what is among the candidates was on record as sent before they were listed.
  const isShared = (await document.isNumberShared?.(only.euid)) ?? false;
  return isShared ? undefined : { ...only, isPresumed: true };
}

function amountIn({ text }: PreparedDocument): number | null {
  const document = documentIn(text);
  const totals = isJsonObject(document) ? document['docTotals'] : null;
  const amount = isJsonObject(totals) ? totals['docFinalAmount'] : null;
  return typeof amount === 'number' ? amount : null;
}

/** About the documents of this number: the account is accepted, and others are not to wait for the right. */
function undecidedError({ message, errors, answer }: AuthorityCallError, mayNotRead: boolean): AuthorityCallError {
  const sentence = `It could not be determined which document with this number is the one that was sent. ${message}`;
  return new AuthorityCallError(sentence, { kind: mayNotRead ? 'request-refused' : 'error', errors, answer });
}

function registrationOfMatch(match: Match, urls: InstallationUrls, tenant: Tenant): Registration {
  const { isPresumed } = match;
  return { ...registrationOf(asRegistered(match), urls, tenant), ...(isPresumed === undefined ? {} : { isPresumed }) };
}

/** What has the `docId` of a document that was sent is no draft, however it is shown for a moment: its status is read later. */
function asRegistered(match: Match): Match {
  if (match.status.code !== DRAFT) return match;
  return { ...match, status: { code: NEW_STATUS, name: null }, isStatusUnread: true };
}

export function registrationOf(
  { euid, status, isStatusUnread, row }: RegisteredDocument,
  urls: InstallationUrls,
  tenant: Tenant,
): Registration {
  const receivedAt = euidTime(euid);
  return {
    euid,
    qrLink: qrLinkOf(urlsOf(urls, tenant.environment), euid),
    registeredAt: receivedAt === null ? null : formatInstant(receivedAt),
    status,
    message: null,
    answer: shortened({ bytes: new TextEncoder().encode(JSON.stringify(row)) }),
    ...(isStatusUnread === undefined ? {} : { isStatusUnread }),
  };
}
