import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

const MEDIA_TYPES = ['application/json', 'text/json', 'text/plain'];
/** A client may name the charset as well; it gets UTF-8 in any case. */
const OFFERED = [...MEDIA_TYPES, ...MEDIA_TYPES.map((type) => `${type}; charset=utf-8`)];

/** Labels a JSON answer as the client asked for it; the body is the same. What cannot be met gets the default. */
export async function labelJson(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const { accept } = request.headers;
  const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json');
  if (isJson && accept !== undefined && accept !== '*/*') {
    const chosen = new Negotiator(request.raw).mediaType(OFFERED) ?? 'application/json';
    reply.header('content-type', `${chosen.replace(/;.*$/u, '')}; charset=utf-8`);
  }
  return payload;
}
