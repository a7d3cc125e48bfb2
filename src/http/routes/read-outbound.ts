import type { ReadOutbound } from '../../application/outbound/read-outbound.ts';
import { answerLanguage } from '../answers/answer-language.ts';
import { outboundDetail } from '../answers/outbound-json.ts';
import { documentPath, outboundDocument } from '../answers/schemas.ts';
import { callerOf, requestedDocUid } from '../requests/request-context.ts';
import { addCall, type Mount, NO_PARAMETERS } from '../route.ts';

export function readOutboundRoute(mount: Mount, { readOutbound }: { readonly readOutbound: ReadOutbound }): void {
  addCall(mount, {
    method: 'GET',
    path: '/outbound/:docUid',
    operationId: 'readOutbound',
    summary: 'One outbound document.',
    description:
      'Follow a document by reading it until its status is 40, 50, 55 or 60. Once the authority has answered, ujp has what it said; ujp.statusCode follows its later changes.',
    tag: 'outbound',
    params: documentPath,
    parameters: NO_PARAMETERS,
    success: { 200: outboundDocument },
    answersTexts: true,
    errors: ['ERR-3001'],
    async answer(request, reply) {
      const { edb, language } = callerOf(request).tenant;
      const document = await readOutbound.detail(edb, requestedDocUid(request));
      return outboundDetail(document, answerLanguage(reply, language));
    },
  });
}
