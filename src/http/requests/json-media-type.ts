import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

const MEDIA_TYPES = ['application/json', 'text/json', 'text/plain'];
/** A client may name a charset too; the answer is always UTF-8. */
const OFFERED = [...MEDIA_TYPES, ...MEDIA_TYPES.map((type) => `${type}; charset=utf-8`)];

/** Sets the content type of a JSON answer to the one that the client accepts; the body is the same. The default is application/json. */
export async function negotiateJsonType(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const { accept } = request.headers;
  const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json');
  if (isJson && accept !== undefined && accept !== '*/*') {
    const chosen = new Negotiator(request.raw).mediaType(OFFERED) ?? 'application/json';
    reply.header('content-type', `${chosen.replace(/;.*$/u, '')}; charset=utf-8`);
  }
  return payload;
}
