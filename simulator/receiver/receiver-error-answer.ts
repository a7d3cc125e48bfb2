import type { Finding } from '../authority-error.ts';
import { type HttpAnswer, jsonAnswer } from '../http-answer.ts';

const STATUS_OF_CODE: Readonly<Record<string, number>> = { E4004: 404, E4005: 405, E4007: 429, E4008: 404 };

/**
 * The first finding is at the top level of the answer; if there are several, `errors` has all of them. Codes E5… come
 * with HTTP 500, as seen live; the other statuses and the member `errors` are chosen (the authority's published reference, §7.1).
 */
export function receiverErrorAnswer(findings: readonly Finding[]): HttpAnswer {
  const [first = { code: 'E5000', message: 'Internal server error' }] = findings;
  const { code, message } = first;
  const status = STATUS_OF_CODE[code] ?? (code.startsWith('E5') ? 500 : 400);
  return jsonAnswer({ code, message, ...(findings.length > 1 ? { errors: findings } : {}) }, status);
}
