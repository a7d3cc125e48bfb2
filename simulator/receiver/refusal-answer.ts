import { type HttpAnswer, jsonAnswer } from '../http-answer.ts';
import type { Finding } from '../refusal.ts';

const STATUS_OF_CODE: Readonly<Record<string, number>> = { E4004: 404, E4005: 405, E4007: 429, E4008: 404 };

/**
 * The receiver says the first fault at the top, where every reader looks, and all of them in `errors` when there are
 * several. Its own troubles (E5…) are HTTP 500, everybody else's 400.
 */
export function refusalAnswer(findings: readonly Finding[]): HttpAnswer {
  const [first = { code: 'E5000', message: 'Internal server error' }] = findings;
  const { code, message } = first;
  const status = STATUS_OF_CODE[code] ?? (code.startsWith('E5') ? 500 : 400);
  return jsonAnswer({ code, message, ...(findings.length > 1 ? { errors: findings } : {}) }, status);
}
