import type { Tenant } from '../../../domain/accounts/tenant.ts';
import type { AuthorityStatus } from '../../../domain/documents/authority-status.ts';
import { authorityDate } from '../answers/authority-date.ts';
import { boundedText } from '../answers/bounded-text.ts';
import { isEuid } from '../answers/euid.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { listMember, unreadableMember } from '../answers/list-member.ts';
import { unlessNothingFound } from '../answers/nothing-found.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { documentsService } from '../gateway/authority-service.ts';

/** A document of the tenant's in the authority's register. */
export type RegisteredRow = {
  readonly euid: string;
  readonly status: AuthorityStatus;
  readonly finalAmount: number | null;
  /** The row as it came. */
  readonly served: JsonObject;
};

const SERVICE = documentsService('sales-invoice/invoices-status');
const NOTHING_FOUND = ['E1018', 'E4008'];
const NONE: JsonObject = { success: true, invoices: [] };
const MAX_CODE_LENGTH = 10;
const MAX_NAME_LENGTH = 200;
/** In the register, whatever else its row may say. */
const REGISTERED = '01';

/** The tenant's registered documents of one number and date; credit notes and invoices may share a number. */
export async function registeredRows(
  caller: AuthorityCaller,
  tenant: Tenant,
  docNumber: string,
  docDate: string,
): Promise<readonly RegisteredRow[]> {
  const asked = caller.ask(tenant, SERVICE, { dateFrom: docDate, dateTo: docDate });
  const answer = await unlessNothingFound(asked, NOTHING_FOUND, NONE);
  return listMember(answer, 'invoices', SERVICE)
    .filter(isJsonObject)
    .filter((row) => String(row['docNumber'] ?? '') === docNumber && isOfDay(row, docDate))
    .map(readRow);
}

/** The range asked for is one day: a date that cannot be read is that day. */
function isOfDay(row: JsonObject, docDate: string): boolean {
  return (authorityDate(row['docDate']) ?? docDate) === docDate;
}

/** A row that cannot be read must not pass for a document that is not there. */
function readRow(row: JsonObject): RegisteredRow {
  const { euid } = row;
  if (!isEuid(euid)) throw unreadableMember('euid', SERVICE);
  const amount = Number.parseFloat(String(row['docFinalAmount']));
  return {
    euid,
    status: {
      code: boundedText(row['statusCode'], MAX_CODE_LENGTH) ?? REGISTERED,
      name: boundedText(row['statusName'], MAX_NAME_LENGTH),
    },
    finalAmount: Number.isFinite(amount) ? amount : null,
    served: row,
  };
}
