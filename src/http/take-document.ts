import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../application/errors/problem.ts';
import { message } from '../domain/messages/message.ts';
import type { Admission } from './admission.ts';
import { unavailableProblem } from './answers/problem-response.ts';
import { type BodyLimit, declaredLength, type ReadBody } from './requests/read-body.ts';
import { tenantOf } from './requests/request-context.ts';

type Needs = {
  readonly maxDocumentBytes: number;
  readonly readBody: ReadBody;
  readonly admission: Admission;
};

/** A document that has arrived. */
export type TakenDocument = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Ends its time under way: what follows does not keep other documents from being read. */
  readonly leave: () => void;
  /** Ends everything that it takes of the memory for bodies and of admission. */
  readonly release: () => void;
};

/** Larger documents wait for threads of their own, and what all of them may take of the memory for bodies limits their number. */
const SMALL_BYTES = 65_536;

/** Reads the document that a call brings, within the limits that all documents share. */
export function takeDocument({ maxDocumentBytes, readBody, admission }: Needs) {
  const limit: BodyLimit = {
    maxBytes: maxDocumentBytes,
    exceeded: (maxBytes) => problem('ERR-2012', message('document-too-large', { bytes: maxBytes })),
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<TakenDocument> => {
    const tenant = tenantOf(request);
    const { waitedMs } = request.context;
    if (canRefuseEarly(request) && !admission.hasRoom(tenant, waitedMs)) refuseOverload(request);
    const body = await readBody(request, reply, limit);
    let leave = body.bytes.length > SMALL_BYTES ? () => undefined : admission.enter(tenant, waitedMs);
    if (leave === null) {
      body.release();
      refuseOverload(request);
    }
    function leaveOnce(): void {
      leave?.();
      leave = null;
    }
    return {
      bytes: body.bytes,
      leave: leaveOnce,
      release() {
        leaveOnce();
        body.release();
      },
    };
  };
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
