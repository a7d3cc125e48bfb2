import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseTenantField } from '../../application/intake/refuse-tenant-field.ts';
import { httpProblem } from '../answers/problem-response.ts';
import type { BodyLimit, ReadBody } from './read-body.ts';

/** A body that a call does not need is ignored up to this size. */
const IGNORED: BodyLimit = {
  maxBytes: 65_536,
  exceeded: () => httpProblem(413, 'This call takes no body, and the body that was sent is too large to be ignored.'),
};

/** For calls that take no body: refuses one that names a tenant (ERR-1007) and ignores any other. */
export type DiscardBody = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export function createDiscardBody(readBody: ReadBody): DiscardBody {
  return async (request, reply) => {
    if (!hasBody(request)) return;
    const body = await readBody(request, reply, IGNORED);
    try {
      refuseTenantField(body.bytes);
    } finally {
      body.release();
    }
  };
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
