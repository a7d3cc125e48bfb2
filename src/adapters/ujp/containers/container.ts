import { DoubtfulEuid } from '../../../application/errors/authority-answers.ts';
import { type Authority, AuthorityCallError, type CallErrorKind } from '../../../application/ports/authority.ts';
import type { AuthorityEnvironment, Tenant } from '../../../domain/accounts/tenant.ts';
import { shortText } from '../../../domain/values/one-line-text.ts';
import { answerError, unreadableAnswer } from '../answers/answer-error.ts';
import { isSuccess } from '../answers/classify-status.ts';
import type { Exchange } from '../answers/exchange.ts';
import { parseAnswer } from '../answers/json-answer.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import type { AuthorityService } from '../gateway/authority-service.ts';
import { documentId } from '../preparation/document-id.ts';
import { containedDocIds } from './contained-ids.ts';

const MAX_CONTAINER_BYTES = 64 * 1_048_576;
/** The first bytes of every ZIP file that holds something. */
const ZIP_START = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
/** The record at the end of every ZIP file: 22 bytes, and a comment of 65,535 at most. */
const ZIP_END = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const ZIP_END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const OPENING_BRACE = 0x7b;
const MOST_SHOWN = 200;

const SERVICE: AuthorityService<Uint8Array> = {
  api: 'query',
  path: 'documents/invoice',
  maxAnswerBytes: MAX_CONTAINER_BYTES,
  isDownload: true,
  read: readContainer,
};

type Form = 'signed' | 'plain';

/**
 * What these codes report does not depend on the form of the request: the document is not there (yet), the container could not be
 * made, the right is missing, the account, the certificate or the clock is not in order, or the authority itself is not.
 */
const ABOUT_SOMETHING_ELSE: ReadonlySet<string> = new Set([
  ...['E1015', 'E1018', 'E1019', 'E1021', 'E4008', 'E5017'],
  ...['E1010', 'E1011', 'E1012', 'E1013', 'E1014', 'E4021', 'E4022', 'E4023', 'E5002', 'E5004', 'E5012'],
  ...['E4007', 'E4009', 'E4012', 'E40121', 'E40122', 'E4025', 'E5000', 'E5001', 'E5003', 'E5008'],
]);
const NOT_FOUND: ReadonlySet<string> = new Set(['E1018', 'E1021', 'E4008']);
const MAY_PASS: ReadonlySet<CallErrorKind> = new Set(['unreachable', 'timeout', 'busy']);

/**
 * The authority's description does not say whether the request for a container is signed. One that is refused because of its form is
 * repeated in the other form, and each environment is asked in the form that it last took.
 */
export function container(caller: AuthorityCaller): Authority['container'] {
  const forms = new Map<AuthorityEnvironment, Form>();

  return async (tenant, euid, docUid) => {
    const bytes = await inEitherForm(tenant, euid).catch((error: unknown) => {
      throw docUid === undefined ? error : unknownEuid(error);
    });
    if (docUid !== undefined) refuseOfAnother(bytes, euid, documentId(tenant.edb, docUid));
    return bytes;
  };

  async function inEitherForm(tenant: Tenant, euid: string): Promise<Uint8Array> {
    const form = forms.get(tenant.environment) ?? 'signed';
    try {
      return await ask(form, tenant, euid);
    } catch (error) {
      if (!mayBeAboutForm(error)) throw error;
      return askOtherwise(form === 'signed' ? 'plain' : 'signed', tenant, euid, error);
    }
  }

  function ask(form: Form, tenant: Tenant, euid: string): Promise<Uint8Array> {
    return form === 'signed'
      ? caller.postSigned(tenant, SERVICE, { euid })
      : caller.postWithSerial(tenant, SERVICE, { euid });
  }

  async function askOtherwise(form: Form, tenant: Tenant, euid: string, refusal: unknown): Promise<Uint8Array> {
    try {
      const bytes = await ask(form, tenant, euid);
      forms.set(tenant.environment, form);
      return bytes;
    } catch (error) {
      // A refusal for another reason shows that this form was understood; otherwise the first one says more.
      if (!isAboutSomethingElse(error)) throw refusal;
      forms.set(tenant.environment, form);
      throw error;
    }
  }
}

function mayBeAboutForm(error: unknown): boolean {
  if (!(error instanceof AuthorityCallError) || error.isUncertain || MAY_PASS.has(error.kind)) return false;
  return !isAboutSomethingElse(error);
}

function isAboutSomethingElse(error: unknown): boolean {
  if (!(error instanceof AuthorityCallError)) return false;
  return error.errors.some(({ code }) => code !== null && ABOUT_SOMETHING_ELSE.has(code));
}

/** Recognised by its first bytes: when the authority refuses, it answers in JSON, also with HTTP 200. */
function readContainer(exchange: Exchange): Uint8Array {
  const { bytes, status } = exchange;
  if (isSuccess(status) && isWholeZip(bytes)) return bytes;
  if (bytes[0] === OPENING_BRACE) throw answerError(exchange, parseAnswer(exchange));
  throw unreadableAnswer(exchange, 'no container');
}

/** One that something on the way has cut has no end, and would be kept for good. */
function isWholeZip(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, ZIP_START.length).equals(ZIP_START)) return false;
  const tail = file.subarray(Math.max(ZIP_START.length, file.length - ZIP_END_BYTES - MAX_COMMENT_BYTES));
  return tail.length >= ZIP_END_BYTES && tail.lastIndexOf(ZIP_END, tail.length - ZIP_END_BYTES) >= 0;
}

/** It would be kept for good. Something on the way may have mixed answers up: this one, or the one that has given the document its EUID. */
function refuseOfAnother(bytes: Uint8Array, euid: string, docId: string): void {
  const contained = containedDocIds(bytes);
  if (contained.size === 0 || contained.has(docId)) return;
  const others = shortText(Array.from(contained).join(', '), MOST_SHOWN);
  const sentence = `The container of ${euid} holds another document: its docId is ${others}, not ${docId}`;
  throw new DoubtfulEuid(sentence, { kind: 'error', isUncertain: true });
}

/** It may only not be there yet. */
function unknownEuid(error: unknown): unknown {
  if (!(error instanceof AuthorityCallError) || !error.errors.some(({ code }) => NOT_FOUND.has(code ?? '')))
    return error;
  const { message, kind, errors, isUncertain, answer, httpStatus } = error;
  return new DoubtfulEuid(message, { kind, errors, isUncertain, answer, httpStatus, cause: error });
}
