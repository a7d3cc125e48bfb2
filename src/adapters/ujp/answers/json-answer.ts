import { answerError, unreadableAnswer } from './answer-error.ts';
import { isSuccess } from './classify-status.ts';
import type { Exchange } from './exchange.ts';
import { isFlat, isJsonObject, type JsonObject } from './json-object.ts';
import { readReportedErrors } from './reported-errors.ts';

/** The JSON answer of a service, unless it reports errors, which it also does with HTTP 200. */
export function readJsonAnswer(exchange: Exchange): JsonObject {
  return withoutErrors(exchange, parseAnswer(exchange));
}

/** The same with U+FFFD for bytes that are not UTF-8: of many documents one that holds such bytes must not keep the others back. */
export function readLenientAnswer(exchange: Exchange): JsonObject {
  return withoutErrors(exchange, parseAnswer(exchange, false));
}

function withoutErrors(exchange: Exchange, answer: unknown): JsonObject {
  const isAnswer = isSuccess(exchange.status) && isJsonObject(answer) && !reportsErrors(answer);
  if (!isAnswer) throw answerError(exchange, answer);
  return answer;
}

/** The authority writes UTF-8 whatever its headers declare. What is nested deeply takes a hundred times its size, and the stack of whoever writes it again. */
export function parseAnswer(exchange: Exchange, fatal = true): unknown {
  if (!isFlat(exchange.bytes))
    throw unreadableAnswer(exchange, 'nested far more deeply than any answer of the authority');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal }).decode(exchange.bytes));
  } catch (cause) {
    throw unreadableAnswer(exchange, 'not JSON in UTF-8', cause);
  }
}

function reportsErrors(answer: JsonObject): boolean {
  return answer['success'] === false || readReportedErrors(answer).length > 0;
}
