import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseTenantInAnyBody } from '../application/refuse-tenant-field.ts';
import type { BodyBudget } from './body-budget.ts';
import { readBody } from './read-body.ts';

/** Calls without a body of their own tolerate one up to this size, if it names no tenant. */
const TOLERATED_BYTES = 65_536;

export type RefuseBody = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** For calls that take no body: one that names a tenant is refused, any other is ignored. */
export function createRefuseBody(budget: BodyBudget): RefuseBody {
  return async (request, reply) => {
    const body = await readBody(request.raw, reply.raw, TOLERATED_BYTES, budget);
    try {
      refuseTenantInAnyBody(body.bytes);
    } finally {
      body.release();
    }
  };
}
