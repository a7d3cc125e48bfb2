import type { InquireOutbound } from '../../../application/outbound/inquire-outbound.ts';
import type { OutboundMark } from '../../../application/ports/storage/outbound/outbound-inquiry-store.ts';
import { isEuid } from '../../../domain/documents/euid.ts';
import { parseSha256 } from '../../../domain/values/hex.ts';
import { normalText } from '../../../domain/values/normal-text.ts';
import { answerLanguage } from '../../answers/answer-language.ts';
import { foundDocuments } from '../../answers/extensions/extension-schemas.ts';
import { foundOutboundJson } from '../../answers/extensions/found-outbound-json.ts';
import { httpProblem } from '../../answers/problem-response.ts';
import { type QueryValues, text } from '../../requests/query.ts';
import { callerOf } from '../../requests/request-context.ts';
import { addCall, type Mount } from '../../route.ts';

const PARAMETERS = {
  documentNumber: text('The number of the document, as it was submitted.'),
  sha256: text('The SHA-256 of the submitted bytes, in hexadecimal digits.'),
  euid: text("The authority's identifier of a registered document."),
};

export function inquireOutboundRoute(mount: Mount, api: { readonly inquireOutbound: InquireOutbound }): void {
  addCall(mount, {
    method: 'GET',
    path: '/outbound',
    operationId: 'inquireOutbound',
    summary: 'What happened to a document, by its number, its bytes or its EUID.',
    description:
      'Give one of the query parameters. Finds documents for ever, also archived ones, and costs nothing of the traffic limit of the key, but has a limit of its own. The answer names the status, the attempts so far, the next one, and other documents with the same bytes.',
    tag: 'outbound',
    isInquiry: true,
    parameters: PARAMETERS,
    success: { 200: foundDocuments },
    answersTexts: true,
    errors: [],
    async answer(request, reply, query) {
      const { edb, language: usual } = callerOf(request).tenant;
      const { found, hasMore } = await api.inquireOutbound(edb, markOf(query));
      const language = answerLanguage(reply, usual);
      return { items: found.map((one) => foundOutboundJson(one, language)), hasMore };
    },
  });
}

function markOf({ documentNumber, sha256, euid }: QueryValues<typeof PARAMETERS>): OutboundMark {
  const marks: OutboundMark[] = [];
  const number = normalText(documentNumber ?? '');
  if (number !== null) marks.push({ by: 'documentNumber', value: number });
  if (sha256 !== null) marks.push({ by: 'sha256', value: digestOf(sha256.trim()) });
  if (euid !== null) marks.push({ by: 'euid', value: euidOf(euid.trim()) });
  const [mark] = marks;
  if (mark === undefined || marks.length > 1) {
    throw httpProblem(400, 'Give one of the query parameters documentNumber, sha256 and euid.');
  }
  return mark;
}

function digestOf(digits: string): Uint8Array {
  const digest = parseSha256(digits);
  if (digest === null) {
    throw httpProblem(400, 'The query parameter sha256 must be the 64 hexadecimal digits of a SHA-256.');
  }
  return digest;
}

function euidOf(text: string): string {
  if (!isEuid(text)) {
    throw httpProblem(400, 'The query parameter euid must be an EUID: 32 hexadecimal digits with four hyphens.');
  }
  return text;
}
