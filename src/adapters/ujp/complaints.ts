import { isJsonObject, type JsonObject } from './json-object.ts';

/** One thing the authority has against a request. */
export type Complaint = { readonly code: string; readonly message: string };

/**
 * The authority's complaints in either of its shapes: `errorStatus: { errorCode, errorMessage }` from the query API,
 * `{ code, message }` from the receiver; single or several.
 */
export function readComplaints(answer: unknown): readonly Complaint[] {
  const found = isJsonObject(answer) ? (answer['errorStatus'] ?? answer) : answer;
  return [found].flat().filter(isJsonObject).flatMap(readComplaint);
}

function readComplaint(item: JsonObject): Complaint[] {
  const code = item['errorCode'] ?? item['code'];
  const message = item['errorMessage'] ?? item['message'];
  if (typeof code !== 'string') return [];
  return [{ code, message: typeof message === 'string' ? message : '' }];
}
