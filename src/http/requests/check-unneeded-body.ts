import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseTenantInBody } from '../../application/accounts/refuse-tenant-in-body.ts';
import { httpProblem } from '../answers/problem-response.ts';
import type { BodyLimit, ReadBody } from './read-body.ts';
import type { RecogniseCaller } from './recognise-caller.ts';

/** A body that a call does not need is ignored up to this size. */
const IGNORED: BodyLimit = {
  maxBytes: 65_536,
  exceeded: () => httpProblem(413, 'This call takes no body, and the body that was sent is too large to be ignored.'),
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call reads its body itself; all others take none. */
    readonly takesBody?: boolean;
  }
}

type Needs = { readonly readBody: ReadBody; readonly recogniseCaller: RecogniseCaller };

/** The hook for calls that take no body: refuses one that names a tenant (ERR-1007) and ignores any other. */
export function checkUnneededBody({ readBody, recogniseCaller }: Needs) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.routeOptions.config.takesBody === true || !hasBody(request)) return;
    // Nothing is read for a stranger; only calls that are refused anyway come here without a key.
    if ((await recogniseCaller(request)) === null) return;
    const body = await readBody(request, reply, IGNORED);
    try {
      refuseTenantInBody(body.bytes);
    } finally {
      body.release();
    }
  };
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
