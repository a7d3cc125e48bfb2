import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseTenantField } from '../../application/intake/refuse-tenant-field.ts';
import { httpProblem } from '../answers/problem-response.ts';
import type { BodyBudget } from './body-budget.ts';
import { type BodyLimit, readBody } from './read-body.ts';

/** Calls without a body of their own tolerate one up to this size, if it names no tenant. */
const TOLERATED: BodyLimit = {
  maxBytes: 65_536,
  exceeded: () => httpProblem(413, 'This call takes no body, and the one it came with is too large to be ignored.'),
};

export type RefuseBody = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** For calls that take no body: one that names a tenant is refused, any other is ignored. */
export function createRefuseBody(budget: BodyBudget): RefuseBody {
  return async (request, reply) => {
    const body = await readBody(request.raw, reply.raw, TOLERATED, budget);
    try {
      refuseTenantField(body.bytes);
    } finally {
      body.release();
    }
  };
}
