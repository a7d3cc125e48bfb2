import { PartOfChanges } from '../../../application/errors/authority-answers.ts';
import type { Authority, AuthorityStatusChange } from '../../../application/ports/authority.ts';
import type { AuthorityStatus } from '../../../domain/documents/authority-status.ts';
import { isEuid } from '../../../domain/documents/euid.ts';
import { parseInstant } from '../../../domain/values/instant.ts';
import { oneLineText } from '../../../domain/values/one-line-text.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { isPage, listMember, unreadableMember } from '../answers/list-member.ts';
import { unlessNothingFound } from '../answers/nothing-found.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { documentsService } from '../gateway/authority-service.ts';
import { skopjeInstant } from '../gateway/skopje-time.ts';

const SERVICE = documentsService('sales-invoice/changes');
const NOTHING_FOUND = ['E1015', 'E1019', 'E4008'];
const NONE: JsonObject = { success: true, statusHistory: [] };
/** A reason with its code, then whatever was written beside it. */
const REASONS = [
  ['rejectReasonCode', 'rejectReason'],
  ['voidReasonCode', 'voidReason'],
  ['comment'],
  ['voidComment'],
  ['cancelComment'],
];
const MAX_CODE_LENGTH = 10;
const MAX_NAME_LENGTH = 200;
const MAX_REASON_LENGTH = 1_000;

export function statusChanges(caller: AuthorityCaller): Authority['statusChanges'] {
  return async (tenant, day) => {
    // The authority's sample request has a time after the date; a service that expects the date alone accepts it too.
    const asked = caller.postSigned(tenant, SERVICE, { date: `${day}T00:00:00` });
    const answer = await unlessNothingFound(asked, NOTHING_FOUND, NONE);
    const listed = listMember(answer, 'statusHistory', SERVICE);
    const rows = listed.filter(isJsonObject);
    const changes = connected(oldestFirst(rows, parseInstant(day, 'down') ?? 0).flatMap(readChange));
    if (!isPage(answer, listed)) return changes;
    throw new PartOfChanges(unreadableMember('whole list of statusHistory', SERVICE).message, changes);
  };
}

type TimedRow = { readonly row: JsonObject; readonly at: number | null };

/** A row with an unreadable time keeps its position after the row before it, and counts as of the same time. */
function oldestFirst(rows: readonly JsonObject[], near: number): readonly TimedRow[] {
  let last: number | null = null;
  const timed = rows.map((row) => {
    last = skopjeInstant(row['timestamp'], near) ?? last;
    return { row, at: last };
  });
  return timed.sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
}

/** A change that does not say what status it began with began with that of the document's change before it. */
function connected(changes: readonly AuthorityStatusChange[]): readonly AuthorityStatusChange[] {
  const last = new Map<string, string>();
  return changes.map((change) => {
    const from = change.from ?? last.get(change.euid) ?? null;
    last.set(change.euid, change.status.code);
    return { ...change, from };
  });
}

function readChange({ row, at }: TimedRow): AuthorityStatusChange[] {
  const { euid } = row;
  const status = statusOf(row['newStatus']);
  if (!isEuid(euid) || status === null) return [];
  return [{ euid, status, from: statusOf(row['oldStatus'])?.code ?? null, at, reason: reasonOf(row) }];
}

function statusOf(member: unknown): AuthorityStatus | null {
  const { code, name } = isJsonObject(member) ? (member as { code?: unknown; name?: unknown }) : {};
  const statusCode = oneLineText(code, MAX_CODE_LENGTH);
  return statusCode === null ? null : { code: statusCode, name: oneLineText(name, MAX_NAME_LENGTH) };
}

function reasonOf(row: JsonObject): string | null {
  const reasons = REASONS.map((members) => {
    const texts = members.map((member) => oneLineText(row[member], MAX_REASON_LENGTH));
    return texts.filter((text) => text !== null).join(' ');
  }).filter((text) => text !== '');
  return reasons.length === 0 ? null : [...new Set(reasons)].join('; ');
}
