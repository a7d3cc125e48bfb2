import { boundedText } from './bounded-text.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';

/** One thing the authority has against a request. */
export type Complaint = { readonly code: string; readonly message: string };

const MAX_COMPLAINTS = 100;
const MAX_CODE_LENGTH = 40;
const MAX_MESSAGE_LENGTH = 1_000;

/**
 * The authority's complaints in either of its shapes: `errorStatus: { errorCode, errorMessage }` from the query API,
 * `{ code, message }` from the receiver; single or several, there also beside the first one as `errors`.
 */
export function readComplaints(answer: unknown): readonly Complaint[] {
  const found = isJsonObject(answer) ? (answer['errorStatus'] ?? answer) : answer;
  const listed = isJsonObject(found) && Array.isArray(found['errors']) ? found['errors'] : [];
  const complaints = [found, ...listed].flat().slice(0, MAX_COMPLAINTS).filter(isJsonObject).flatMap(readComplaint);
  return complaints.filter((one, index) => complaints.findIndex((other) => isSame(one, other)) === index);
}

function readComplaint(item: JsonObject): Complaint[] {
  const code = boundedText(item['errorCode'] ?? item['code'], MAX_CODE_LENGTH);
  const message = boundedText(item['errorMessage'] ?? item['message'], MAX_MESSAGE_LENGTH);
  return code === null ? [] : [{ code, message: message ?? '' }];
}

function isSame(one: Complaint, other: Complaint): boolean {
  return one.code === other.code && one.message === other.message;
}
