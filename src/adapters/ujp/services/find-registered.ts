import {
  type Authority,
  AuthorityCallError,
  type PreparedDocument,
  type Registration,
} from '../../../application/ports/authority.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { formatInstant } from '../../../domain/values/instant.ts';
import { shortened } from '../answers/answer-error.ts';
import { euidTime } from '../answers/euid.ts';
import { isJsonObject } from '../answers/json-object.ts';
import { unreadableMember } from '../answers/list-member.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { documentsService } from '../gateway/authority-service.ts';
import { type InstallationUrls, qrLinkOf, urlsOf } from '../gateway/authority-urls.ts';
import { type RegisteredRow, registeredRows } from './registered-rows.ts';

type Needs = { readonly caller: AuthorityCaller; readonly urls: InstallationUrls };

const PAYLOAD = documentsService('sales-invoice/payload', true);
const MISSING_RIGHT = 'E1011';
/** An invoice, a credit note, a void and a few corrections may share number and date; each costs a question. */
const MAX_CANDIDATES = 20;

/** Finds a document again by our own identifier in it: number and date may be those of another one. */
export function findRegistered({ caller, urls }: Needs): Authority['findRegistered'] {
  return async (tenant, document) => {
    const rows = await registeredRows(caller, tenant, document.docNumber, document.docDate);
    if (rows.length > MAX_CANDIDATES) {
      const sentence = `The authority has ${rows.length} documents numbered ${document.docNumber} of ${document.docDate}`;
      throw new AuthorityCallError(sentence, { kind: 'error' });
    }
    const row = await ownRow(caller, tenant, document, rows);
    return row === null ? null : registrationOf(row, urls, tenant);
  };
}

async function ownRow(
  caller: AuthorityCaller,
  tenant: Tenant,
  document: PreparedDocument,
  rows: readonly RegisteredRow[],
): Promise<RegisteredRow | null> {
  try {
    for (const row of rows) {
      if ((await docIdOf(caller, tenant, row.euid)) === document.docId) return row;
    }
    return null;
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    const { kind, errors } = error;
    const mayNotRead = errors.some(({ code }) => code === MISSING_RIGHT);
    if (mayNotRead && rows.length === 1) return rows.find((row) => isOfSameAmount(row, document)) ?? null;
    // Refused is the look at it, not the document.
    if (kind === 'refused') throw undecided(error, mayNotRead);
    throw error;
  }
}

async function docIdOf(caller: AuthorityCaller, tenant: Tenant, euid: string): Promise<string> {
  const { payload } = await caller.ask(tenant, PAYLOAD, { euid });
  const docId = headerOf(payload)?.['docId'];
  if (typeof docId !== 'string') throw unreadableMember('payload', PAYLOAD);
  return docId;
}

function headerOf(payload: unknown) {
  const document = documentOf(payload);
  const header = isJsonObject(document) ? document['header'] : null;
  return isJsonObject(header) ? header : null;
}

/** The document in a signed text, whatever that is. */
function documentOf(text: unknown): unknown {
  try {
    const signed: unknown = typeof text === 'string' ? JSON.parse(text) : null;
    return isJsonObject(signed) ? signed['document'] : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** All that is left to compare without the right to look inside. */
function isOfSameAmount({ finalAmount }: RegisteredRow, { text }: PreparedDocument): boolean {
  const document = documentOf(text);
  const totals = isJsonObject(document) ? document['docTotals'] : null;
  const amount = isJsonObject(totals) ? totals['docFinalAmount'] : null;
  return finalAmount === null || typeof amount !== 'number' || amount === finalAmount;
}

function undecided({ message, errors, answer }: AuthorityCallError, mayNotRead: boolean): AuthorityCallError {
  const sentence = `Which of the documents of one number is the one that was sent could not be seen. ${message}`;
  return new AuthorityCallError(sentence, { kind: mayNotRead ? 'credentials' : 'error', errors, answer });
}

function registrationOf({ euid, status, served }: RegisteredRow, urls: InstallationUrls, tenant: Tenant): Registration {
  const receivedAt = euidTime(euid);
  return {
    euid,
    qrLink: qrLinkOf(urlsOf(urls, tenant.environment), euid),
    registeredAt: receivedAt === null ? null : formatInstant(receivedAt),
    status,
    message: null,
    answer: shortened({ bytes: new TextEncoder().encode(JSON.stringify(served)) }),
  };
}
