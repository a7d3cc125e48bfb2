import {
  type Authority,
  AuthorityCallError,
  type PreparedDocument,
  REFUSALS,
  type Registration,
} from '../../../application/ports/authority.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { euidTime } from '../../../domain/documents/euid.ts';
import { formatInstant } from '../../../domain/values/instant.ts';
import { shortened } from '../answers/answer-error.ts';
import { isJsonObject } from '../answers/json-object.ts';
import { unreadableMember } from '../answers/list-member.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { documentsService } from '../gateway/authority-service.ts';
import { type InstallationUrls, qrLinkOf, urlsOf } from '../gateway/authority-urls.ts';
import type { AuthorityQueries } from './authority-queries.ts';
import { type RegisteredDocument, registeredDocuments } from './registered-documents.ts';

type Needs = { readonly caller: AuthorityCaller; readonly urls: InstallationUrls };

const PAYLOAD = documentsService('sales-invoice/payload', true);
const MISSING_RIGHT = 'E1011';
/** An invoice, a credit note, a void and a few corrections may share number and date; each costs one paced query. */
const MAX_CANDIDATES = 20;

/** Finds a sent document by its `docId`; another document may have the same number and date. */
export function findRegistered(needs: Needs): Authority['findRegistered'] {
  const underNumber = registeredUnderNumber(needs);
  return async (tenant, document) => (await underNumber(tenant, document)).registration;
}

export function registeredUnderNumber({ caller, urls }: Needs): AuthorityQueries['registeredUnderNumber'] {
  return async (tenant, document) => {
    const candidates = await registeredDocuments(caller, tenant, document.docNumber, document.docDate);
    if (candidates.length > MAX_CANDIDATES) {
      const sentence = `The authority has ${candidates.length} documents with number ${document.docNumber} and date ${document.docDate}`;
      throw new AuthorityCallError(sentence, { kind: 'error' });
    }
    const match = await findByDocId(caller, tenant, document, candidates);
    const registration = match === null ? null : registrationOf(match, urls, tenant);
    return { registration, isNumberTaken: candidates.length > 0 };
  };
}

async function findByDocId(
  caller: AuthorityCaller,
  tenant: Tenant,
  document: PreparedDocument,
  candidates: readonly RegisteredDocument[],
): Promise<RegisteredDocument | null> {
  try {
    for (const candidate of candidates) {
      if ((await docIdOf(caller, tenant, candidate.euid)) === document.docId) return candidate;
    }
    return null;
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    const { kind, errors } = error;
    const mayNotRead = errors.some(({ code }) => code === MISSING_RIGHT);
    if (mayNotRead && candidates.length === 1) return candidates.find((one) => hasSameAmount(one, document)) ?? null;
    // The authority refused the download, not the document: that must not count as a rejection.
    if (REFUSALS.has(kind)) throw undecidedError(error, mayNotRead);
    throw error;
  }
}

/** The text that was signed for a registered document, as the authority keeps it. */
export async function registeredPayload(caller: AuthorityCaller, tenant: Tenant, euid: string): Promise<string> {
  const { payload } = await caller.postSigned(tenant, PAYLOAD, { euid });
  if (typeof payload !== 'string') throw unreadableMember('payload', PAYLOAD);
  return payload;
}

async function docIdOf(caller: AuthorityCaller, tenant: Tenant, euid: string): Promise<string> {
  const docId = headerOf(await registeredPayload(caller, tenant, euid))?.['docId'];
  if (typeof docId !== 'string') throw unreadableMember('payload', PAYLOAD);
  return docId;
}

function headerOf(payload: unknown) {
  const document = documentOf(payload);
  const header = isJsonObject(document) ? document['header'] : null;
  return isJsonObject(header) ? header : null;
}

/** The document in a signed text; null when the text is not JSON with a document. */
function documentOf(text: unknown): unknown {
  try {
    const signed: unknown = typeof text === 'string' ? JSON.parse(text) : null;
    return isJsonObject(signed) ? signed['document'] : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Without the right to download payloads (E1011) only the amount can be compared. */
function hasSameAmount({ finalAmount }: RegisteredDocument, { text }: PreparedDocument): boolean {
  const document = documentOf(text);
  const totals = isJsonObject(document) ? document['docTotals'] : null;
  const amount = isJsonObject(totals) ? totals['docFinalAmount'] : null;
  return finalAmount === null || typeof amount !== 'number' || amount === finalAmount;
}

function undecidedError({ message, errors, answer }: AuthorityCallError, mayNotRead: boolean): AuthorityCallError {
  const sentence = `It could not be determined which document with this number is the one that was sent. ${message}`;
  return new AuthorityCallError(sentence, { kind: mayNotRead ? 'credentials' : 'error', errors, answer });
}

function registrationOf(
  { euid, status, row }: RegisteredDocument,
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
  };
}
