import type { ArrivalList, ListedArrival } from '../../../application/ports/authority.ts';
import { isEuid } from '../../../domain/documents/euid.ts';
import { oneLineText, shortText } from '../../../domain/values/one-line-text.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { statusRowFacts } from './arrival-facts.ts';

const MAX_CODE_LENGTH = 10;
const MAX_NAME_LENGTH = 200;
const MAX_ROW_LENGTH = 200;

/** The rows that name a document, each document once; what cannot be read of the other rows is told and keeps nothing back. */
export function readArrivalList(rows: readonly unknown[]): ArrivalList {
  const listed = new Map<string, ListedArrival>();
  const unreadableRows: string[] = [];
  for (const row of rows) {
    if (!isJsonObject(row) || !isEuid(row['euid'])) {
      unreadableRows.push(`A row without a readable EUID: ${shown(row)}`);
      continue;
    }
    const { euid } = row;
    const key = euid.toLowerCase();
    if (listed.has(key)) unreadableRows.push(`A second row of the document ${key}: ${shown(row)}`);
    else listed.set(key, { euid, status: statusOf(row), facts: statusRowFacts(row) });
  }
  return { listed: [...listed.values()], unreadableRows };
}

function statusOf(row: JsonObject): ListedArrival['status'] {
  const code = oneLineText(row['statusCode'], MAX_CODE_LENGTH);
  return code === null ? null : { code, name: oneLineText(row['statusName'], MAX_NAME_LENGTH) };
}

function shown(row: unknown): string {
  return shortText(JSON.stringify(row), MAX_ROW_LENGTH);
}
