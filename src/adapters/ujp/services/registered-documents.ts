import type { Tenant } from '../../../domain/accounts/tenant.ts';
import type { AuthorityStatus } from '../../../domain/documents/authority-status.ts';
import { isEuid } from '../../../domain/documents/euid.ts';
import { oneLineText } from '../../../domain/values/one-line-text.ts';
import { isTooMuch } from '../answers/answer-error.ts';
import { authorityDate } from '../answers/authority-date.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { unreadableMember, wholeList } from '../answers/list-member.ts';
import { unlessNothingFound } from '../answers/nothing-found.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { documentsService } from '../gateway/authority-service.ts';
import { listInParts } from './list-in-parts.ts';
import { isOfTaxpayer, isSameNumber, type KnownDocument, shownNumber } from './registered-payloads.ts';

/** One of the tenant's documents in the authority's register. */
export type RegisteredDocument = KnownDocument & {
  readonly status: AuthorityStatus;
  readonly finalAmount: number | null;
  /** It was listed by its EUID alone. */
  readonly isStatusUnread?: true;
  /** The row of the answer, unchanged. */
  readonly row: JsonObject;
};

const SERVICE = documentsService('sales-invoice/invoices-status');
const IDS = documentsService('sales-invoice/ids');
const NO_IDS: JsonObject = { success: true, euids: [] };
const NOTHING_FOUND = ['E1018', 'E4008'];
const NONE: JsonObject = { success: true, invoices: [] };
const MAX_CODE_LENGTH = 10;
const MAX_NAME_LENGTH = 200;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/u;
/** The status of a row that states none: the document is in the register all the same. */
const REGISTERED = '01';
/** Begun at the authority's portal, and not sent. */
export const DRAFT = '00';

/**
 * The tenant's registered documents with this number and date; invoices and credit notes may share a number. One whose row shows no number
 * may have it, and one whose row shows it in other letters. What the tenant has sent for another seller is none of them.
 */
export async function registeredDocuments(
  caller: AuthorityCaller,
  tenant: Tenant,
  docNumber: string,
  docDate: string,
): Promise<readonly RegisteredDocument[]> {
  const rows = await listedRows(caller, tenant, docDate, docDate);
  const isOfDay = (row: JsonObject) => (authorityDate(row['docDate']) ?? docDate) === docDate;
  return rows
    .filter((row) => isOfDay(row) && isOwn(row, tenant) && mayHaveNumber(row, docNumber))
    .map((row) => ({ ...readRow(row), docDate }));
}

/**
 * All of the tenant's registered documents with dates within these days; at most a month. Those of a day whose list does not fit into an answer,
 * or does not come in time, are listed by their EUIDs alone.
 */
export async function registeredWithin(
  ...[caller, tenant, dateFrom, dateTo]: Parameters<typeof listedRows>
): Promise<readonly RegisteredDocument[]> {
  const parts = await listInParts(dateFrom, dateTo, (from, to) =>
    ownWithin(caller, tenant, from, to).catch((error: unknown) => {
      if (isTooMuch(error) && from === to) return registeredOn(caller, tenant, from);
      throw error;
    }),
  );
  return parts.flat();
}

async function ownWithin(
  ...[caller, tenant, dateFrom, dateTo]: Parameters<typeof listedRows>
): Promise<readonly RegisteredDocument[]> {
  const rows = await listedRows(caller, tenant, dateFrom, dateTo);
  return rows.filter((row) => isOwn(row, tenant) && statusCodeOf(row['statusCode']) !== DRAFT).map(readRow);
}

/** None of the taxpayer's documents has another seller: it may have sent that, by another program. */
function isOwn({ sellerTin = null }: JsonObject, { edb }: Tenant): boolean {
  return isOfTaxpayer({ sellerTin }, edb);
}

async function listedRows(
  caller: AuthorityCaller,
  tenant: Tenant,
  dateFrom: string,
  dateTo: string,
): Promise<readonly JsonObject[]> {
  const asked = caller.postSigned(tenant, SERVICE, { dateFrom, dateTo });
  const answer = await unlessNothingFound(asked, NOTHING_FOUND, NONE);
  const listed = wholeList(answer, 'invoices', SERVICE);
  const rows = listed.filter(isJsonObject);
  // What is no row may stand for the document that is looked for.
  if (rows.length < listed.length) throw unreadableMember('invoices', SERVICE);
  const isAbout = (row: JsonObject) => {
    const date = authorityDate(row['docDate']);
    return (date === null || (date >= dateFrom && date <= dateTo)) && isOfTaxpayer(row, tenant.edb);
  };
  // A list of nothing but other days or another taxpayer says nothing: something on the way may have mixed the answers up.
  if (listed.length > 0 && !rows.some(isAbout)) throw unreadableMember('invoices of these days', SERVICE);
  return rows;
}

/**
 * All of the tenant's registered documents of a day, by their EUIDs alone: a tenth of the bytes. Their statuses are left to the
 * follow-up.
 */
export async function registeredOn(
  caller: AuthorityCaller,
  tenant: Tenant,
  day: string,
): Promise<readonly RegisteredDocument[]> {
  const asked = caller.postSigned(tenant, IDS, { dateFrom: day, dateTo: day });
  const answer = await unlessNothingFound(asked, NOTHING_FOUND, NO_IDS);
  return wholeList(answer, 'euids', IDS).map((euid) => {
    if (!isEuid(euid)) throw unreadableMember('euids', IDS);
    return listedByEuid(euid, day);
  });
}

/** One of which nothing but its EUID is known. */
export function listedByEuid(euid: string, docDate: string): RegisteredDocument {
  const status = { code: REGISTERED, name: null };
  return { euid, docNumber: null, docDate, status, finalAmount: null, isStatusUnread: true, row: { euid } };
}

/** A row that shows no number may be of any. A draft lacks it or the EUID: what has both may be registered, and shown as a draft for a moment. */
function mayHaveNumber(row: JsonObject, wanted: string): boolean {
  const number = shownNumber(row);
  if (statusCodeOf(row['statusCode']) === DRAFT && (number === null || !isEuid(row['euid']))) return false;
  return number === null || isSameNumber(number, wanted);
}

/** Throws on a row without EUID: skipping it would make a registered document look unregistered, and it would be sent twice. */
function readRow(row: JsonObject): RegisteredDocument {
  const { euid } = row;
  if (!isEuid(euid)) throw unreadableMember('euid', SERVICE);
  return {
    euid,
    docNumber: shownNumber(row),
    docDate: authorityDate(row['docDate']),
    status: {
      code: statusCodeOf(row['statusCode']) ?? REGISTERED,
      name: oneLineText(row['statusName'], MAX_NAME_LENGTH),
    },
    finalAmount: amountOf(row['docFinalAmount']),
    row,
  };
}

/** Null for what is no plain number: half of `1.180,00` is another amount. */
function amountOf(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return PLAIN_NUMBER.test(text) ? Number(text) : null;
}

/** Two digits, also where it is a number or was one; null where none is stated. */
function statusCodeOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return oneLineText(text, MAX_CODE_LENGTH)?.replace(/^\d$/u, '0$&') ?? null;
}
