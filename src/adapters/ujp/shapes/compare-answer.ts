import { counted } from '../../../domain/messages/message.ts';
import { oneLineText } from '../../../domain/values/one-line-text.ts';
import { isSuccess } from '../answers/classify-status.ts';
import type { HttpAnswer } from '../answers/exchange.ts';
import { isFlat, isJsonObject } from '../answers/json-object.ts';
import { readReportedErrors } from '../answers/reported-errors.ts';
import { type Comparison, compareShape, type Deviation } from './compare-shape.ts';
import type { ServiceShape } from './service-shapes.ts';

const OK = 200;
const ZIP_START = 'PK';
const MAX_LABEL_LENGTH = 60;

/** An answer that reports errors has the shape of an error, not that of the service. */
export type ComparedAnswer =
  | { readonly outcome: 'errors'; readonly answer: unknown }
  | ({ readonly outcome: 'compared'; readonly answer: unknown } & Comparison);

/** Compares an answer with the shape of its service: HTTP status, JSON or file, members. */
export function compareAnswer(shape: ServiceShape, { status, contentType, bytes }: HttpAnswer): ComparedAnswer {
  const isZip = Buffer.from(bytes.subarray(0, ZIP_START.length)).toString('latin1') === ZIP_START;
  // What begins as a container is no JSON: every delivery fetches one, and it need not be decoded to see that.
  const answer = isZip ? undefined : parsed(bytes);
  if (answer !== undefined && reportsErrors(answer)) return { outcome: 'errors', answer };
  const label = oneLineText(contentType, MAX_LABEL_LENGTH) ?? 'no content type';
  const what = bytes.length === 0 ? 'nothing' : `${counted(bytes.length, 'byte')} (${label})`;
  const whole = { path: '', times: 1 };
  const deviations: Deviation[] =
    status === OK ? [] : [{ ...whole, kind: 'status', expected: 'HTTP 200', found: `HTTP ${status}` }];
  if (!isSuccess(status)) return { outcome: 'compared', answer, deviations, unknown: [] };
  if (shape === 'zip') {
    if (!isZip) deviations.push({ ...whole, kind: 'content', expected: 'a container (ZIP)', found: what });
    return { outcome: 'compared', answer, deviations, unknown: [] };
  }
  if (answer === undefined) {
    deviations.push({ ...whole, kind: 'content', expected: 'JSON', found: what });
    return { outcome: 'compared', answer, deviations, unknown: [] };
  }
  const compared = compareShape(shape, answer);
  return {
    outcome: 'compared',
    answer,
    deviations: [...deviations, ...compared.deviations],
    unknown: compared.unknown,
  };
}

/** Undefined, which JSON has not, where it is no JSON, or none that is read. */
function parsed(bytes: Uint8Array): unknown {
  if (!isFlat(bytes)) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function reportsErrors(answer: unknown): boolean {
  const isFailure = isJsonObject(answer) && answer['success'] === false;
  // A registered document has an EUID beside its message: that is no error.
  const isRegistered = isJsonObject(answer) && 'euid' in answer;
  return isFailure || (!isRegistered && readReportedErrors(answer).length > 0);
}
