import { type Authority, AuthorityFault, type Registration } from '../../application/authority.ts';
import type { Clock } from '../../application/ports.ts';
import { formatInstant } from '../../domain/instant.ts';
import { answerFault, shortened } from './answer-fault.ts';
import type { AuthorityCaller } from './authority-caller.ts';
import type { AuthorityService, Exchange } from './authority-service.ts';
import { type AuthorityUrls, type InstallationUrls, qrLinkOf, urlsOf } from './authority-urls.ts';
import { boundedText } from './bounded-text.ts';
import { isHeaderText } from './caller-identity.ts';
import { euidTime, isEuid } from './euid.ts';
import { parseAnswer } from './json-answer.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import { skopjeInstant } from './skopje-time.ts';
import { isPositive } from './status-verdict.ts';

type Needs = { readonly caller: AuthorityCaller; readonly urls: InstallationUrls; readonly clock: Clock };

const MAX_ANSWER_BYTES = 4 * 1_048_576;
const MAX_LINK_LENGTH = 2_000;
const MAX_MESSAGE_LENGTH = 1_000;
const WEB_LINK = /^https?:\/\//iu;

export function sendDocument({ caller, urls, clock }: Needs): Authority['send'] {
  return async (tenant, { docTypeCode, text }, requestTimestamp) => {
    const installation = urlsOf(urls, tenant.environment);
    if (!isHeaderText(docTypeCode)) {
      throw new AuthorityFault('The type of the document cannot stand in a request', { kind: 'refused' });
    }
    const service: AuthorityService<Registration> = {
      api: 'receiver',
      path: 'sales-invoices/send',
      maxAnswerBytes: MAX_ANSWER_BYTES,
      isDownload: false,
      read: (exchange) => readRegistration(exchange, installation, clock),
    };
    return caller.submit(tenant, service, { text, requestTimestamp, headers: { 'X-DOC-TYPE-CODE': docTypeCode } });
  };
}

/** Only an EUID proves that the document is in the register. */
function readRegistration(exchange: Exchange, urls: AuthorityUrls, clock: Clock): Registration {
  const answer = parseAnswer(exchange);
  const euid = isJsonObject(answer) ? answer['euid'] : null;
  if (!isPositive(exchange.status) || !isJsonObject(answer) || !isEuid(euid)) throw answerFault(exchange, answer);
  const link = answer['qr_link'];
  const registeredAt = skopjeInstant(answer['timestamp'], clock.now()) ?? euidTime(euid);
  return {
    euid,
    qrLink: isLink(link) ? link : qrLinkOf(urls, euid),
    registeredAt: registeredAt === null ? null : formatInstant(registeredAt),
    status: { code: '01', name: null },
    message: boundedText(answer['message'], MAX_MESSAGE_LENGTH),
    answer: shortened(exchange),
  };
}

/** People follow it and print it: nothing but the address of a page. */
function isLink(value: JsonObject[string]): value is string {
  return typeof value === 'string' && value.length <= MAX_LINK_LENGTH && WEB_LINK.test(value) && URL.canParse(value);
}
