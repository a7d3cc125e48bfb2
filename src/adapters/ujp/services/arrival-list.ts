import type { ArrivalList, ListedArrival } from '../../../application/ports/authority.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import { isEuid } from '../../../domain/documents/euid.ts';
import { oneLineText, shortText } from '../../../domain/values/one-line-text.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { statusRowFacts } from './arrival-facts.ts';
import { statedEdb } from './registered-payloads.ts';

const MAX_CODE_LENGTH = 10;
const MAX_NAME_LENGTH = 200;
const MAX_ROW_LENGTH = 200;
/** Where an answer has nothing else, these are millions. */
const MOST_ROWS_TOLD = 100;

/**
 * The rows that name a document for the taxpayer, each document once; what the other rows are is told and keeps nothing back. Null where
 * every row is for somebody else: then the list is not the one that was asked for.
 */
export function readArrivalList(rows: readonly unknown[], taxpayer: Edb): ArrivalList | null {
  if (rows.length > 0 && rows.every((row) => isForAnother(row, taxpayer))) return null;
  const listed = new Map<string, ListedArrival>();
  const unreadableRows: string[] = [];
  const tell = (what: string, row: unknown) => {
    if (unreadableRows.length < MOST_ROWS_TOLD) unreadableRows.push(`${what}: ${shown(row)}`);
  };
  for (const row of rows) {
    if (!isJsonObject(row) || !isEuid(row['euid'])) {
      tell('A row without a readable EUID', row);
      continue;
    }
    if (isForAnother(row, taxpayer)) {
      tell('A row of another buyer', row);
      continue;
    }
    const { euid } = row;
    const key = euid.toLowerCase();
    if (listed.has(key)) tell(`A second row of the document ${key}`, row);
    else listed.set(key, { euid, status: statusOf(row), facts: statusRowFacts(row) });
  }
  return { listed: [...listed.values()], unreadableRows };
}

/** Something on the way may have mixed the answers up: nobody else's document is to be asked for, or kept, for the taxpayer. */
function isForAnother(row: unknown, taxpayer: Edb): boolean {
  if (!isJsonObject(row)) return false;
  const named = [row['buyerTin'], row['receiverTin']].map(statedEdb);
  return named[0] !== null && !named.includes(taxpayer);
}

function statusOf(row: JsonObject): ListedArrival['status'] {
  const code = oneLineText(row['statusCode'], MAX_CODE_LENGTH);
  return code === null ? null : { code, name: oneLineText(row['statusName'], MAX_NAME_LENGTH) };
}

function shown(row: unknown): string {
  return shortText(JSON.stringify(row), MAX_ROW_LENGTH);
}
