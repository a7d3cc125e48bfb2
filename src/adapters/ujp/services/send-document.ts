import { type Authority, AuthorityCallError, type Registration } from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import { isHeaderText } from '../../../domain/accounts/header-text.ts';
import { euidTime, isEuid } from '../../../domain/documents/euid.ts';
import { authorityCodeOf } from '../../../domain/documents/outbound-document.ts';
import { formatInstant } from '../../../domain/values/instant.ts';
import { oneLineText } from '../../../domain/values/one-line-text.ts';
import { createBoundedMap } from '../../platform/bounded-map.ts';
import { answerError, shortened } from '../answers/answer-error.ts';
import { isSuccess } from '../answers/classify-status.ts';
import type { Exchange } from '../answers/exchange.ts';
import { parseAnswer } from '../answers/json-answer.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { readReportedErrors } from '../answers/reported-errors.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import type { AuthorityService } from '../gateway/authority-service.ts';
import { type AuthorityUrls, type InstallationUrls, qrLinkOf, urlsOf } from '../gateway/authority-urls.ts';
import { skopjeInstant } from '../gateway/skopje-time.ts';

type Needs = { readonly caller: AuthorityCaller; readonly urls: InstallationUrls; readonly clock: Clock };

const MAX_ANSWER_BYTES = 4 * 1_048_576;
/** What the answer itself states as its status, beside that of HTTP. */
const OK = 200;
const LOWEST_REFUSAL = 300;
const HIGHEST_REFUSAL = 599;
const MAX_LINK_LENGTH = 2_000;
const MAX_MESSAGE_LENGTH = 1_000;
const WEB_LINK = /^https?:\/\//iu;
/** Far more than can be sent between an answer and its repetition. */
const MOST_REMEMBERED = 10_000;

export function sendDocument({ caller, urls, clock }: Needs): Authority['send'] {
  /** Which document, of whichever tenant, each EUID was given to: all of them share the connections. */
  const given = createBoundedMap<string, string>(MOST_REMEMBERED);

  function ownRegistration(docId: string, exchange: Exchange, installation: AuthorityUrls): Registration {
    const registration = readRegistration(exchange, installation, clock);
    const euid = registration.euid.toLowerCase();
    if ((given.get(euid) ?? docId) !== docId) throw answerToAnother(exchange, registration);
    given.set(euid, docId);
    return registration;
  }

  return async (tenant, { docId, docTypeCode, text, lastCheck }, requestTimestamp) => {
    const installation = urlsOf(urls, tenant.environment);
    if (!isHeaderText(docTypeCode)) {
      throw new AuthorityCallError('The document type code has characters that an HTTP header cannot hold', {
        kind: 'refused',
      });
    }
    const service: AuthorityService<Registration> = {
      api: 'receiver',
      path: 'sales-invoices/send',
      maxAnswerBytes: MAX_ANSWER_BYTES,
      isDownload: false,
      read: (exchange) => ownRegistration(docId, exchange, installation),
    };
    const message = { text, requestTimestamp, headers: { 'X-DOC-TYPE-CODE': docTypeCode } };
    return caller.sendOnce(tenant, service, message, lastCheck);
  };
}

/** Only an EUID proves that the document is in the register. */
function readRegistration(exchange: Exchange, urls: AuthorityUrls, clock: Clock): Registration {
  const answer = parseAnswer(exchange);
  const euid = isJsonObject(answer) ? answer['euid'] : null;
  if (!isSuccess(exchange.status) || !isJsonObject(answer) || !isEuid(euid)) {
    const error = answerError(exchange, answer);
    throw isEuid(euid) && error.errors.length === 0 ? contradictoryAnswer(exchange, euid) : error;
  }
  if (reportsFailure(answer)) throw contradictoryAnswer(exchange, euid);
  const link = answer['qr_link'];
  const registeredAt = skopjeInstant(answer['timestamp'], clock.now()) ?? euidTime(euid);
  return {
    euid,
    qrLink: isWebLink(link) ? link : qrLinkOf(urls, euid),
    registeredAt: registeredAt === null ? null : formatInstant(registeredAt),
    status: { code: '01', name: null },
    message: oneLineText(answer['message'], MAX_MESSAGE_LENGTH),
    answer: shortened(exchange),
  };
}

/** The EUID may be that of another document, to which an error refers. */
function reportsFailure(answer: JsonObject): boolean {
  const status = Number(answer['status'] ?? OK);
  const isRefusal = status >= LOWEST_REFUSAL && status <= HIGHEST_REFUSAL;
  return answer['success'] === false || isRefusal || authorityCodeOf(readReportedErrors(answer)) !== null;
}

/** The HTTP status may be that of something on the way, and the EUID that of a registration. */
function contradictoryAnswer(exchange: Exchange, euid: string): AuthorityCallError {
  const { place, status } = exchange;
  const facts = { kind: 'error', isUncertain: true, answer: shortened(exchange), httpStatus: status } as const;
  const also = isSuccess(status) ? ' and a failure' : '';
  return new AuthorityCallError(`${place} answered HTTP ${status} with the EUID ${euid}${also}`, facts);
}

/** An answer that came before, for instance because something on the way has mixed them up, says nothing about this document. */
function answerToAnother({ place }: Exchange, { euid, answer }: Registration): AuthorityCallError {
  const sentence = `${place} answered with ${euid}, the EUID of another document`;
  return new AuthorityCallError(sentence, { kind: 'error', isUncertain: true, answer });
}

/** The link is shown and printed as a QR code, so nothing but a web address is accepted. */
function isWebLink(value: JsonObject[string]): value is string {
  return typeof value === 'string' && value.length <= MAX_LINK_LENGTH && WEB_LINK.test(value) && URL.canParse(value);
}
