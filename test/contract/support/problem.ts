import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { type ErrorCode, PROBLEM_CATALOGUE } from '../../../src/application/errors/problem-catalogue.ts';
import type { Answer } from './client.ts';
import { PROBLEM, readFields, type Values } from './fields.ts';

type ProblemJson = Values<typeof PROBLEM>;

/** The answer is this problem of the catalogue, in every field; gives its detail. */
export function assertProblem(answer: Answer, code: ErrorCode): string {
  const { type, detail, eventId, ...rest } = readProblem(answer);
  const { status, title } = PROBLEM_CATALOGUE[code];
  assert.deepEqual({ ...rest, httpStatus: answer.status }, { code, status, title, httpStatus: status }, detail);
  assert.match(type, new RegExp(`^https?://[^/]+/errors/${code}$`, 'u'));
  assert.equal(eventId === null, code !== 'ERR-9000', 'eventId belongs to ERR-9000 alone');
  return detail;
}

/** The answer is a problem outside the catalogue with this HTTP status; gives its detail. */
export function assertPlainProblem(answer: Answer, status: number): string {
  const { detail, ...rest } = readProblem(answer);
  assert.deepEqual(
    { ...rest, httpStatus: answer.status },
    { type: 'about:blank', title: STATUS_CODES[status], status, code: null, eventId: null, httpStatus: status },
    detail,
  );
  return detail;
}

export function readProblem(answer: Answer): ProblemJson {
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json(;|$)/u, answer.text);
  assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/u, 'every answer has an X-Request-Id');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('vary'), 'X-Api-Key, Accept');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  return readFields(PROBLEM, JSON.parse(answer.text));
}
