import type { Authority, AuthorityStatusChange } from '../../../application/ports/authority.ts';
import { isEuid } from '../../../domain/documents/euid.ts';
import { parseInstant } from '../../../domain/values/instant.ts';
import { oneLineText } from '../../../domain/values/one-line-text.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { listMember } from '../answers/list-member.ts';
import { unlessNothingFound } from '../answers/nothing-found.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { documentsService } from '../gateway/authority-service.ts';
import { skopjeInstant } from '../gateway/skopje-time.ts';

const SERVICE = documentsService('sales-invoice/changes');
const NOTHING_FOUND = ['E1015', 'E1019', 'E4008'];
const NONE: JsonObject = { success: true, statusHistory: [] };
const REASONS = ['rejectReason', 'voidReason', 'comment', 'voidComment', 'cancelComment'];
const MAX_CODE_LENGTH = 10;
const MAX_NAME_LENGTH = 200;
const MAX_REASON_LENGTH = 1_000;

export function statusChanges(caller: AuthorityCaller): Authority['statusChanges'] {
  return async (tenant, day) => {
    // The authority's sample request has a time after the date; a service that expects the date alone accepts it too.
    const asked = caller.postSigned(tenant, SERVICE, { date: `${day}T00:00:00` });
    const answer = await unlessNothingFound(asked, NOTHING_FOUND, NONE);
    const rows = listMember(answer, 'statusHistory', SERVICE).filter(isJsonObject);
    return oldestFirst(rows, parseInstant(day, 'down') ?? 0).flatMap(readChange);
  };
}

/** A row with an unreadable time keeps its position after the row before it. */
function oldestFirst(rows: readonly JsonObject[], near: number): readonly JsonObject[] {
  let last = Number.NEGATIVE_INFINITY;
  const timed = rows.map((row) => {
    last = skopjeInstant(row['timestamp'], near) ?? last;
    return { row, at: last };
  });
  return timed.sort((one, other) => (one.at === other.at ? 0 : one.at - other.at)).map(({ row }) => row);
}

function readChange(row: JsonObject): AuthorityStatusChange[] {
  const { euid, newStatus } = row;
  const { code, name } = isJsonObject(newStatus) ? (newStatus as { code?: unknown; name?: unknown }) : {};
  const statusCode = oneLineText(code, MAX_CODE_LENGTH);
  if (!isEuid(euid) || statusCode === null) return [];
  const reasons = REASONS.map((member) => oneLineText(row[member], MAX_REASON_LENGTH)).filter((text) => text !== null);
  return [
    {
      euid,
      status: { code: statusCode, name: oneLineText(name, MAX_NAME_LENGTH) },
      reason: reasons.length === 0 ? null : [...new Set(reasons)].join('; '),
    },
  ];
}
