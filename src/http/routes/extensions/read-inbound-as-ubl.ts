import type { ReadInboundAsUbl } from '../../../application/inbound/read-inbound-as-ubl.ts';
import { fileName, sendFile } from '../../answers/file-response.ts';
import { documentPath } from '../../answers/schemas.ts';
import { Type } from '../../json-schema.ts';
import { callerOf, requestedDocUid } from '../../requests/request-context.ts';
import { addCall, type Mount, NO_PARAMETERS } from '../../route.ts';

const leftOut = Type.Integer({
  minimum: 0,
  description:
    'How many values and characters are in the original alone; a comment at the end of the document says which. 0 for every document of the known form.',
});

export function readInboundAsUblRoute(
  mount: Mount,
  { readInboundAsUbl }: { readonly readInboundAsUbl: ReadInboundAsUbl },
): void {
  addCall(mount, {
    method: 'GET',
    path: '/inbound/:docUid/as-ubl',
    operationId: 'readInboundAsUbl',
    summary: 'A received document as a UBL 2.1 Invoice or CreditNote.',
    description:
      "Converts the original from the authority's form; one that arrived as UBL is given as it is. The result is valid by the schemas of UBL 2.1, the same original gives the same bytes, and amounts are exact. What UBL has no element for stands in cac:AdditionalDocumentReference and cac:AdditionalItemProperty whose identifiers begin with UJP:, so that nothing is lost. ERR-3002 says why an original cannot be converted. Nothing is stored: the original stays what was received.",
    tag: 'inbound',
    params: documentPath,
    parameters: NO_PARAMETERS,
    success: { 200: Type.String({ format: 'binary' }) },
    answerHeaders: { 200: { 'X-Left-Out': leftOut }, 304: { 'X-Left-Out': leftOut } },
    errors: ['ERR-3001', 'ERR-3002'],
    async answer(request, reply) {
      const docUid = requestedDocUid(request);
      const file = await readInboundAsUbl(callerOf(request).tenant.edb, docUid);
      reply.header('x-left-out', String(file.leftOut));
      return sendFile(request, reply, file, { name: fileName(file.documentNumber, docUid, 'xml'), shape: file.shape });
    },
  });
}
