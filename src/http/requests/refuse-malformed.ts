import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { httpProblem } from '../answers/problem-response.ts';
import { isReadableUrl } from './decodable-url.ts';
import { headerCount } from './request-context.ts';

/** Refuses what Node lets through, or would answer without a body. */
export function refuseMalformed({ raw, originalUrl }: FastifyRequest): void {
  if (!isReadableUrl(originalUrl)) throw httpProblem(400, 'The URL of the request is malformed.');
  refuseInvalidHost(raw);
  refuseUnknownExpectation(raw);
}

/** HTTP/1.1 requires exactly one Host header. */
function refuseInvalidHost(request: IncomingMessage): void {
  const hosts = headerCount(request, 'host');
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    throw httpProblem(400, 'The request must have exactly one Host header.');
  }
}

/** Node leaves requests with any other expectation than `100-continue` to the service. */
function refuseUnknownExpectation({ headers }: IncomingMessage): void {
  if (headers.expect === undefined || headers.expect.toLowerCase() === '100-continue') return;
  throw httpProblem(417, 'The only supported value of the Expect header is 100-continue.');
}
