import type { FastifyInstance } from 'fastify';
import { NO_TRACES, type Tracer } from '../../application/ports/telemetry/tracer.ts';
import { readTraceparent } from '../../domain/audit/call-origin.ts';
import { onClose } from './on-close.ts';

/** To be added before all other hooks: whatever they do belongs to the span of the request. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  // A hook costs every request something.
  if (tracer === NO_TRACES) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, method, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    const span = tracer.begin({
      name: `${method} ${route}`,
      kind: 'server',
      facts: { 'http.request.method': method, 'http.route': route },
      parent: readTraceparent([headers['traceparent'] ?? []].flat().join(', ')),
    });
    // What the call causes is joined with our span, not with the caller's.
    if (span.traceparent !== null) headers['traceparent'] = span.traceparent;
    onClose(reply.raw, () => {
      const { headersSent, statusCode } = reply.raw;
      span.end(headersSent ? { 'http.response.status_code': statusCode } : {}, headersSent && statusCode >= 500);
    });
    span.within(done);
  });
}
