import type { Authority } from '../../../application/ports/authority.ts';
import { answerError, unreadableAnswer } from '../answers/answer-error.ts';
import { isSuccess } from '../answers/classify-status.ts';
import type { Exchange } from '../answers/exchange.ts';
import { parseAnswer } from '../answers/json-answer.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import type { AuthorityService } from '../gateway/authority-service.ts';

const MAX_CONTAINER_BYTES = 64 * 1_048_576;
/** The first bytes of every ZIP file. */
const ZIP_START = [0x50, 0x4b];
const OPENING_BRACE = 0x7b;

const SERVICE: AuthorityService<Uint8Array> = {
  api: 'query',
  path: 'documents/invoice',
  maxAnswerBytes: MAX_CONTAINER_BYTES,
  isDownload: true,
  read: readContainer,
};

export function container(caller: AuthorityCaller): Authority['container'] {
  return (tenant, euid) => caller.postSigned(tenant, SERVICE, { euid });
}

/** Recognised by its first bytes: when the authority refuses, it answers in JSON, also with HTTP 200. */
function readContainer(exchange: Exchange): Uint8Array {
  const { bytes, status } = exchange;
  if (isSuccess(status) && ZIP_START.every((byte, index) => bytes[index] === byte)) return bytes;
  if (bytes[0] === OPENING_BRACE) throw answerError(exchange, parseAnswer(exchange));
  throw unreadableAnswer(exchange, 'no container');
}
