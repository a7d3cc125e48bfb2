import type { FastifyReply } from 'fastify';
import { StoredDamage } from '../../application/errors/damage.ts';
import { type Problem, plainProblem, problem } from '../../application/errors/problem.ts';
import type { Detail } from '../../domain/messages/detail.ts';
import { type Language, OPERATOR_LANGUAGE } from '../../domain/messages/languages.ts';
import { message } from '../../domain/messages/message.ts';
import { retryAfterSeconds } from '../../domain/values/retry-after.ts';
import { STATUS_CODES } from '../connections/node-http.ts';
import { answerLanguage } from './answer-language.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

const UNAVAILABLE_MS = 2_000;

/** Base of the pages that explain the codes. */
export type Links = { readonly errorsUrl: () => string };

/** The body of every error answer: RFC 9457 plus `code` and `eventId`. */
export type ProblemBody = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string | null;
  readonly eventId: string | null;
};

export function problemBody(
  problem: Problem,
  links: Links,
  eventId: string | null = null,
  language: Language = OPERATOR_LANGUAGE,
): ProblemBody {
  return {
    type: problem.code === null ? 'about:blank' : `${links.errorsUrl()}/${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detailIn(language),
    code: problem.code,
    eventId,
  };
}

/** A problem outside the catalogue, titled by its HTTP status. */
export function httpProblem(
  status: number,
  detail: Detail,
  options?: ConstructorParameters<typeof Problem>[4],
): Problem {
  return plainProblem(status, STATUS_CODES[status] ?? 'Error', detail, options);
}

/** For what the service cannot do at the moment and did not begin: the same call may succeed soon. */
export function unavailableProblem(detail: Detail): Problem {
  return httpProblem(503, detail, { retryAfterSeconds: retryAfterSeconds(UNAVAILABLE_MS) });
}

/** Where the file that was asked for is damaged, the caller learns that much: to ask again does not help. */
export function unexpectedProblem(error: unknown): Problem {
  if (error instanceof StoredDamage) return problem('ERR-9000', message('stored-file-damaged'));
  return problem('ERR-9000', 'The service failed to answer. Quote the eventId when you report it.');
}

/** What a file had been given before its answer was refused does not describe the problem. */
const FILE_HEADERS = [
  'etag',
  'repr-digest',
  'content-disposition',
  'cache-control',
  'x-document-shape',
  'x-left-out',
] as const;

/** Every error answer of a route is sent here; log and audit trail have the code that the caller is told. */
export function sendProblem(reply: FastifyReply, problem: Problem, links: Links, eventId: string | null = null): void {
  reply.request.context.code = problem.code;
  for (const name of FILE_HEADERS) reply.removeHeader(name);
  if (problem.retryAfterSeconds !== null) reply.header('retry-after', String(problem.retryAfterSeconds));
  if (problem.allow !== null) reply.header('allow', problem.allow);
  if (problem.status === 401) reply.header('www-authenticate', 'ApiKey realm="dostava"');
  reply
    .code(problem.status)
    .header('content-type', PROBLEM_TYPE)
    .serializer((body: ProblemBody) => JSON.stringify(body))
    .send(problemBody(problem, links, eventId, answerLanguage(reply, OPERATOR_LANGUAGE)));
}
