import { problem } from '../../application/errors/problem.ts';
import type { SubmitOutbound } from '../../application/intake/submit-outbound.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { httpProblem } from '../answers/problem-response.ts';
import { submitResult } from '../answers/schemas.ts';
import { Type } from '../json-schema.ts';
import type { BodyLimit, ReadBody } from '../requests/read-body.ts';
import { callerOf, headerBytes, headerCount, headerText } from '../requests/request-context.ts';
import { addCall, type Mount, NO_PARAMETERS } from '../route.ts';

type Needs = {
  readonly submitOutbound: SubmitOutbound;
  readonly maxDocumentBytes: number;
  readonly readBody: ReadBody;
};

export function submitOutboundRoute(mount: Mount, { submitOutbound, maxDocumentBytes, readBody }: Needs): void {
  const limit: BodyLimit = {
    maxBytes: maxDocumentBytes,
    exceeded: (maxBytes) => problem('ERR-2012', `A document may have at most ${maxBytes} bytes.`),
  };
  addCall(mount, {
    method: 'POST',
    path: '/outbound',
    operationId: 'submitOutbound',
    summary: 'Submits exactly one UBL 2.1 Invoice or CreditNote, as raw XML.',
    tag: 'outbound',
    parameters: NO_PARAMETERS,
    success: { 200: submitResult, 201: submitResult },
    answerHeaders: { 201: { Location: Type.String({ description: 'Where the document can be read.' }) } },
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
    extraHeaders: {
      'X-Idempotency-Key': Type.String({ description: 'Chosen by the client, unique to the document.' }),
    },
    body: Type.String({ description: 'One UBL 2.1 Invoice or CreditNote. The bytes are stored as received.' }),
    async answer(request, reply) {
      const caller = callerOf(request);
      submitOutbound.checkHeaders(caller, headerText(request, 'x-idempotency-key'));
      if (headerCount(request.raw, 'x-idempotency-key') > 1) {
        throw httpProblem(400, 'The request must have exactly one X-Idempotency-Key header.');
      }
      const idempotencyKey = headerBytes(request, 'x-idempotency-key');
      const body = await readBody(request, reply, limit);
      try {
        const result = await submitOutbound.submit(caller, idempotencyKey, body.bytes);
        request.context.docUid = result.docUid;
        reply.code(result.alreadyExisted ? 200 : 201);
        if (!result.alreadyExisted) reply.header('location', `${mount.app.prefix}/outbound/${result.docUid}`);
        return { ...result, receivedAt: formatInstant(result.receivedAt) };
      } finally {
        body.release();
      }
    },
  });
}
