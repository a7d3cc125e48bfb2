import type { HttpRequest } from './http-request.ts';

/** A bug of the simulator is answered like an internal error of the authority, and written to standard error. */
export function catchUnexpectedError<Answer>(
  { method, path }: HttpRequest,
  answer: () => Answer,
  internalError: () => Answer,
): Answer {
  try {
    return answer();
  } catch (error) {
    process.stderr.write(`${method} ${path}: ${error instanceof Error ? error.stack : String(error)}\n`);
    return internalError();
  }
}
