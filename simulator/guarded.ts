import type { ReceivedRequest } from './received-request.ts';

/** A fault of this program is told as the authority tells its own, and to whoever runs it. */
export function guarded<Answer>({ method, path }: ReceivedRequest, answer: () => Answer, broken: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    process.stderr.write(`${method} ${path}: ${error instanceof Error ? error.stack : String(error)}\n`);
    return broken();
  }
}
