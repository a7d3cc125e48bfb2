import type { FastifyRequest } from 'fastify';
import { problem } from '../../application/errors/problem.ts';
import type { SubmitOutbound } from '../../application/intake/submit-outbound.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import type { Admission } from '../admission.ts';
import { httpProblem, unavailableProblem } from '../answers/problem-response.ts';
import { submitResult } from '../answers/schemas.ts';
import { Type } from '../json-schema.ts';
import { type BodyLimit, declaredLength, type ReadBody } from '../requests/read-body.ts';
import { callerOf, headerBytes, headerCount, headerText, tenantOf } from '../requests/request-context.ts';
import { addCall, type Mount, NO_PARAMETERS } from '../route.ts';

type Needs = {
  readonly submitOutbound: SubmitOutbound;
  readonly maxDocumentBytes: number;
  readonly readBody: ReadBody;
  readonly admission: Admission;
};

/** Larger documents wait for threads of their own, and what all of them may take of the memory for bodies limits their number. */
const SMALL_BYTES = 65_536;

export function submitOutboundRoute(mount: Mount, needs: Needs): void {
  const { submitOutbound, maxDocumentBytes, readBody, admission } = needs;
  const limit: BodyLimit = {
    maxBytes: maxDocumentBytes,
    exceeded: (maxBytes) => problem('ERR-2012', `A document may have at most ${maxBytes} bytes.`),
  };
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
      const tenant = tenantOf(request);
      if (canRefuseEarly(request) && !admission.hasRoom(tenant)) refuseOverload(request);
      const body = await readBody(request, reply, limit);
      const leave = body.bytes.length > SMALL_BYTES ? () => undefined : admission.enter(tenant);
      try {
        if (leave === null) refuseOverload(request);
        const result = await submitOutbound.submit(caller, idempotencyKey, body.bytes);
        request.context.docUid = result.docUid;
        reply.code(result.alreadyExisted ? 200 : 201);
        if (!result.alreadyExisted) reply.header('location', `${mount.app.prefix}/outbound/${result.docUid}`);
        return { ...result, receivedAt: formatInstant(result.receivedAt) };
      } finally {
        leave?.();
        body.release();
      }
    },
  });
}

/**
 * A client that asks before it sends its body is told at once. Any other has sent a small body before it reads an answer: once that is
 * read, its connection can be kept. A new one for each refusal would cost more than the refusal, and connections are accepted slowly.
 */
function canRefuseEarly({ raw, headers }: FastifyRequest): boolean {
  return headers.expect !== undefined && (declaredLength(raw) ?? 0) <= SMALL_BYTES;
}

function refuseOverload({ context }: FastifyRequest): never {
  // As a call beyond the rate limit: an entry for each would take from the database what admission saves.
  context.isAdmitted = false;
  throw unavailableProblem(
    'More documents are submitted than the service can take at this moment. Nothing was stored.',
  );
}
