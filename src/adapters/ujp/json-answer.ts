import { answerFault, unreadableFault } from './answer-fault.ts';
import type { Exchange } from './authority-service.ts';
import { readComplaints } from './complaints.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import { isPositive } from './status-verdict.ts';

/** The answer of a service that answers in JSON, if it is the answer and no refusal: HTTP 200 alone says nothing. */
export function readJsonAnswer(exchange: Exchange): JsonObject {
  const answer = parseAnswer(exchange);
  const isAnswer = isPositive(exchange.status) && isJsonObject(answer) && !isRefusal(answer);
  if (!isAnswer) throw answerFault(exchange, answer);
  return answer;
}

/** The authority writes UTF-8 whatever its headers declare. */
export function parseAnswer(exchange: Exchange): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(exchange.bytes));
  } catch (cause) {
    throw unreadableFault(exchange, 'not JSON in UTF-8', cause);
  }
}

function isRefusal(answer: JsonObject): boolean {
  return answer['success'] === false || readComplaints(answer).length > 0;
}
