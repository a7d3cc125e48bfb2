import type { Tenant } from '../../../domain/accounts/tenant.ts';
import type { AuthorityStatus } from '../../../domain/documents/authority-status.ts';
import { isEuid } from '../../../domain/documents/euid.ts';
import { oneLineText } from '../../../domain/values/one-line-text.ts';
import { authorityDate } from '../answers/authority-date.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { listMember, unreadableMember } from '../answers/list-member.ts';
import { unlessNothingFound } from '../answers/nothing-found.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { documentsService } from '../gateway/authority-service.ts';

/** One of the tenant's documents in the authority's register. */
export type RegisteredDocument = {
  readonly euid: string;
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
/** The status of a row that states none: the document is in the register all the same. */
const REGISTERED = '01';

/** The tenant's registered documents with this number and date; invoices and credit notes may share a number. */
export async function registeredDocuments(
  caller: AuthorityCaller,
  tenant: Tenant,
  docNumber: string,
  docDate: string,
): Promise<readonly RegisteredDocument[]> {
  const asked = caller.postSigned(tenant, SERVICE, { dateFrom: docDate, dateTo: docDate });
  const answer = await unlessNothingFound(asked, NOTHING_FOUND, NONE);
  return listMember(answer, 'invoices', SERVICE)
    .filter(isJsonObject)
    .filter((row) => String(row['docNumber'] ?? '') === docNumber && hasDate(row, docDate))
    .map(readRow);
}

/** All of the tenant's registered documents with dates within these days; at most a month. */
export async function registeredWithin(
  caller: AuthorityCaller,
  tenant: Tenant,
  dateFrom: string,
  dateTo: string,
): Promise<readonly RegisteredDocument[]> {
  const asked = caller.postSigned(tenant, SERVICE, { dateFrom, dateTo });
  const answer = await unlessNothingFound(asked, NOTHING_FOUND, NONE);
  return listMember(answer, 'invoices', SERVICE).filter(isJsonObject).map(readRow);
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
  return listMember(answer, 'euids', IDS).map((euid) => {
    if (!isEuid(euid)) throw unreadableMember('euids', IDS);
    return { euid, status: { code: REGISTERED, name: null }, finalAmount: null, isStatusUnread: true, row: { euid } };
  });
}

/** The query covers this day only, so a row with an unreadable date belongs to it. */
function hasDate(row: JsonObject, docDate: string): boolean {
  return (authorityDate(row['docDate']) ?? docDate) === docDate;
}

/** Throws on a row without EUID: skipping it would make a registered document look unregistered, and it would be sent twice. */
function readRow(row: JsonObject): RegisteredDocument {
  const { euid } = row;
  if (!isEuid(euid)) throw unreadableMember('euid', SERVICE);
  const amount = Number.parseFloat(String(row['docFinalAmount']));
  return {
    euid,
    status: {
      code: oneLineText(row['statusCode'], MAX_CODE_LENGTH) ?? REGISTERED,
      name: oneLineText(row['statusName'], MAX_NAME_LENGTH),
    },
    finalAmount: Number.isFinite(amount) ? amount : null,
    row,
  };
}
