import type { ReadInbound } from '../../application/inbound/read-inbound.ts';
import { inboundDetail } from '../answers/inbound-json.ts';
import { documentPath, inboundDocument } from '../answers/schemas.ts';
import { Type } from '../json-schema.ts';
import { callerOf, requestedDocUid } from '../requests/request-context.ts';
import { addCall, type Mount, NO_PARAMETERS } from '../route.ts';

const STATUS_HEADER = 'X-Ujp-Status';

const authorityStatus = Type.Optional(
  Type.String({
    description:
      "The authority's own status of the document, a code of the list document-statuses; missing where it is not known.",
    examples: ['01'],
  }),
);

/** The authority's codes are two digits; whatever else it may send must not end a header line. */
const HEADER_TEXT = /^[\x21-\x7e]+$/u;

/**
 * The authority's own status of the document (01 new, 03 accepted, 07 voided, …) is a header: the contract gives the body of an
 * inbound document no member for it.
 */
export function readInboundRoute(mount: Mount, { readInbound }: { readonly readInbound: ReadInbound }): void {
  addCall(mount, {
    method: 'GET',
    path: '/inbound/:docUid',
    operationId: 'readInbound',
    summary: 'One document received for the tenant.',
    description:
      'What is known of the document. A document that could not be read has null in the members that would be read from it; its original is there all the same.',
    tag: 'inbound',
    params: documentPath,
    parameters: NO_PARAMETERS,
    success: { 200: inboundDocument },
    answerHeaders: { 200: { [STATUS_HEADER]: authorityStatus } },
    errors: ['ERR-3001'],
    async answer(request, reply) {
      const document = await readInbound.detail(callerOf(request).tenant.edb, requestedDocUid(request));
      const status = document.authorityStatus?.code ?? '';
      if (HEADER_TEXT.test(status)) reply.header(STATUS_HEADER, status);
      return inboundDetail(document);
    },
  });
}
