import type { FastifyReply } from 'fastify';

/** An answer depends on the key: a shared cache in front must not give it to another caller. */
export const CACHE_HEADERS = {
  'cache-control': 'no-store',
  vary: 'X-Api-Key, Accept',
  'x-content-type-options': 'nosniff',
} as const;

/** Those that a route has not set itself. */
export function setCacheHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(CACHE_HEADERS)) if (!reply.hasHeader(name)) reply.header(name, value);
}
