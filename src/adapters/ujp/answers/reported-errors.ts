import { oneLineText } from '../../../domain/values/one-line-text.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';

/** One error in an answer of the authority. */
export type ReportedError = { readonly code: string; readonly message: string; readonly details?: string };

const MAX_ERRORS = 100;
const MAX_CODE_LENGTH = 40;
const MAX_MESSAGE_LENGTH = 1_000;
const MAX_DETAILS_LENGTH = 1_000;

/** Members under which an answer lists several errors. */
const LISTS = ['errors', 'errorList'] as const;

/** Members that are read as such, or belong to the answer and not to the error. */
const NO_DETAILS: ReadonlySet<string> = new Set([
  ...['errorCode', 'code', 'errorMessage', 'message', ...LISTS],
  ...['success', 'createdDate', 'errorStatus'],
]);

/**
 * The authority's errors in either of its shapes: `errorStatus: { errorCode, errorMessage, errorPropertyMap }` from the query API,
 * `{ code, message }` from the receiver; one or several, also beside the first one as `errors` or `errorList`. The authority
 * promises the row or the parameter with an error, without saying in which member: whatever else an error has is kept.
 */
export function readReportedErrors(answer: unknown): readonly ReportedError[] {
  const found = isJsonObject(answer) ? (answer['errorStatus'] ?? answer) : answer;
  const listed = [...new Set([answer, found])]
    .filter(isJsonObject)
    .flatMap((one) => LISTS.flatMap((list) => one[list]));
  const errors = [found, ...listed].flat().slice(0, MAX_ERRORS).filter(isJsonObject).flatMap(readReportedError);
  return errors.filter((one, index) => !errors.some((other, at) => at !== index && saysMore(other, one, at < index)));
}

function readReportedError(item: JsonObject): ReportedError[] {
  const code = oneLineText(item['errorCode'] ?? item['code'], MAX_CODE_LENGTH);
  // Most answers report nothing, and some are large: no word of those is gone through.
  if (code === null) return [];
  const message = oneLineText(item['errorMessage'] ?? item['message'], MAX_MESSAGE_LENGTH);
  const details = detailsOf(item);
  return [{ code, message: message ?? '', ...(details === null ? {} : { details }) }];
}

function detailsOf(item: JsonObject): string | null {
  const rest = Object.entries(item).filter(([name, value]) => !NO_DETAILS.has(name) && value !== null);
  return rest.length === 0 ? null : oneLineText(JSON.stringify(Object.fromEntries(rest)), MAX_DETAILS_LENGTH);
}

/** Whether the other one makes this one superfluous: the same error, with details where this has none, or earlier. */
function saysMore(other: ReportedError, one: ReportedError, isEarlier: boolean): boolean {
  if (other.code !== one.code || other.message !== one.message) return false;
  return other.details === one.details ? isEarlier : one.details === undefined;
}
