import type { Authority } from '../../application/authority.ts';
import { answerFault, unreadableFault } from './answer-fault.ts';
import type { AuthorityCaller } from './authority-caller.ts';
import type { AuthorityService, Exchange } from './authority-service.ts';
import { parseAnswer } from './json-answer.ts';
import { isPositive } from './status-verdict.ts';

const MAX_CONTAINER_BYTES = 64 * 1_048_576;
/** How every ZIP file begins. */
const ZIP = [0x50, 0x4b];
const OPENING_BRACE = 0x7b;

const SERVICE: AuthorityService<Uint8Array> = {
  api: 'query',
  path: 'documents/invoice',
  maxAnswerBytes: MAX_CONTAINER_BYTES,
  isDownload: true,
  read: readContainer,
};

export function container(caller: AuthorityCaller): Authority['container'] {
  return (tenant, euid) => caller.ask(tenant, SERVICE, { euid });
}

/** A container goes by its first bytes: a refusal is JSON with HTTP 200 too. */
function readContainer(exchange: Exchange): Uint8Array {
  const { bytes, status } = exchange;
  if (isPositive(status) && ZIP.every((byte, index) => bytes[index] === byte)) return bytes;
  if (bytes[0] === OPENING_BRACE) throw answerFault(exchange, parseAnswer(exchange));
  throw unreadableFault(exchange, 'no container');
}
