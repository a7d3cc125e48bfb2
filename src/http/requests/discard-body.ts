import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseTenantField } from '../../application/intake/refuse-tenant-field.ts';
import { httpProblem } from '../answers/problem-response.ts';
import type { BodyBudget } from './body-budget.ts';
import { type BodyLimit, readBody } from './read-body.ts';

/** A body that a call does not need is ignored up to this size. */
const IGNORED: BodyLimit = {
  maxBytes: 65_536,
  exceeded: () => httpProblem(413, 'This call takes no body, and the body that was sent is too large to be ignored.'),
};

export type DiscardBody = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** For calls that take no body: refuses one that names a tenant (ERR-1007) and ignores any other. */
export function createDiscardBody(budget: BodyBudget): DiscardBody {
  return async (request, reply) => {
    const body = await readBody(request.raw, reply.raw, IGNORED, budget);
    try {
      refuseTenantField(body.bytes);
    } finally {
      body.release();
    }
  };
}
