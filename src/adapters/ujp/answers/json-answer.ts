import { answerError, unreadableAnswer } from './answer-error.ts';
import { isPositive } from './classify-status.ts';
import type { Exchange } from './exchange.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import { readReportedErrors } from './reported-errors.ts';

/** The answer of a service that answers in JSON, if it is the answer and no refusal: HTTP 200 alone says nothing. */
export function readJsonAnswer(exchange: Exchange): JsonObject {
  const answer = parseAnswer(exchange);
  const isAnswer = isPositive(exchange.status) && isJsonObject(answer) && !isRefusal(answer);
  if (!isAnswer) throw answerError(exchange, answer);
  return answer;
}

/** The authority writes UTF-8 whatever its headers declare. */
export function parseAnswer(exchange: Exchange): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(exchange.bytes));
  } catch (cause) {
    throw unreadableAnswer(exchange, 'not JSON in UTF-8', cause);
  }
}

function isRefusal(answer: JsonObject): boolean {
  return answer['success'] === false || readReportedErrors(answer).length > 0;
}
