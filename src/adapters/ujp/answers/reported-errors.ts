import { oneLineText } from '../../../domain/values/one-line-text.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';

/** One error in an answer of the authority. */
export type ReportedError = { readonly code: string; readonly message: string };

const MAX_ERRORS = 100;
const MAX_CODE_LENGTH = 40;
const MAX_MESSAGE_LENGTH = 1_000;

/**
 * The authority's errors in either of its shapes: `errorStatus: { errorCode, errorMessage }` from the query API,
 * `{ code, message }` from the receiver; one or several, in the receiver's answer also beside the first one as `errors`.
 */
export function readReportedErrors(answer: unknown): readonly ReportedError[] {
  const found = isJsonObject(answer) ? (answer['errorStatus'] ?? answer) : answer;
  const listed = isJsonObject(found) && Array.isArray(found['errors']) ? found['errors'] : [];
  const errors = [found, ...listed].flat().slice(0, MAX_ERRORS).filter(isJsonObject).flatMap(readReportedError);
  return errors.filter((one, index) => errors.findIndex((other) => isSame(one, other)) === index);
}

function readReportedError(item: JsonObject): ReportedError[] {
  const code = oneLineText(item['errorCode'] ?? item['code'], MAX_CODE_LENGTH);
  const message = oneLineText(item['errorMessage'] ?? item['message'], MAX_MESSAGE_LENGTH);
  return code === null ? [] : [{ code, message: message ?? '' }];
}

function isSame(one: ReportedError, other: ReportedError): boolean {
  return one.code === other.code && one.message === other.message;
}
