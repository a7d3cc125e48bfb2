import type { SubmitOutbound } from '../../application/intake/submit-outbound.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import type { Admission } from '../admission.ts';
import { httpProblem } from '../answers/problem-response.ts';
import { submitResult } from '../answers/schemas.ts';
import { Type } from '../json-schema.ts';
import type { ReadBody } from '../requests/read-body.ts';
import { callerOf, headerBytes, headerCount, headerText } from '../requests/request-context.ts';
import { addCall, type Mount, NO_PARAMETERS } from '../route.ts';
import { takeDocument } from '../take-document.ts';

type Needs = {
  readonly submitOutbound: SubmitOutbound;
  readonly maxDocumentBytes: number;
  readonly readBody: ReadBody;
  readonly admission: Admission;
  readonly publicUrl: () => string;
};

export function submitOutboundRoute(mount: Mount, needs: Needs): void {
  const { submitOutbound, publicUrl } = needs;
  const take = takeDocument(needs);
  addCall(mount, {
    method: 'POST',
    path: '/outbound',
    operationId: 'submitOutbound',
    summary: 'Submits exactly one UBL 2.1 Invoice or CreditNote, as raw XML.',
    description:
      'The bytes are stored as received and answered at once with a docUid and status 10; delivery to the authority follows. Repeat a submission whose answer was lost with the same X-Idempotency-Key and the same bytes: within an hour it gets the first answer again (200, alreadyExisted true). Other bytes under the same key are ERR-2010. A refused submission does not use up its key. Content-Type is not looked at; the bytes are.',
    tag: 'outbound',
    parameters: NO_PARAMETERS,
    success: { 200: submitResult, 201: submitResult },
    answerHeaders: {
      201: { Location: Type.String({ format: 'uri-reference', description: 'Where the document can be read.' }) },
    },
    errors: [
      'ERR-2001',
      'ERR-2002',
      'ERR-2003',
      'ERR-2004',
      'ERR-2005',
      'ERR-2006',
      'ERR-2010',
      'ERR-2011',
      'ERR-2012',
      'ERR-2013',
      'ERR-9001',
    ],
    plainErrors: {
      409: 'Without a code: the taxpayer was moved from test to production, or back, while the document came. It was not stored, and is not to be repeated without a person: a trial would become a real invoice.',
    },
    extraHeaders: {
      'X-Idempotency-Key': Type.String({
        minLength: 1,
        description: 'Chosen by the client, unique to the document; compared byte by byte. Exactly one.',
        examples: ['invoice-2026-7001'],
      }),
    },
    body: Type.String({
      format: 'binary',
      description: 'One UBL 2.1 Invoice or CreditNote. The bytes are stored as received.',
    }),
    async answer(request, reply) {
      const caller = callerOf(request);
      submitOutbound.checkHeaders(caller, headerText(request, 'x-idempotency-key'));
      if (headerCount(request.raw, 'x-idempotency-key') > 1) {
        throw httpProblem(400, 'The request must have exactly one X-Idempotency-Key header.');
      }
      const idempotencyKey = headerBytes(request, 'x-idempotency-key');
      const document = await take(request, reply);
      try {
        const result = await submitOutbound.submit(caller, idempotencyKey, document.bytes);
        request.context.docUid = result.docUid;
        reply.code(result.alreadyExisted ? 200 : 201);
        if (!result.alreadyExisted) {
          reply.header('location', `${pathOf(publicUrl())}${mount.app.prefix}/outbound/${result.docUid}`);
        }
        return { ...result, receivedAt: formatInstant(result.receivedAt) };
      } finally {
        document.release();
      }
    },
  });
}

/** A proxy may serve the service below a path, which requests do not have any more when they arrive. */
function pathOf(publicUrl: string): string {
  return URL.parse(publicUrl)?.pathname.replace(/\/$/u, '') ?? '';
}
