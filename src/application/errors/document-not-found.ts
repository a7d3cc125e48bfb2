import { type Problem, problem } from './problem.ts';

/** The same answer for an unknown, a malformed and another tenant's identifier: it must not reveal what others have. */
export function documentNotFound(): Problem {
  return problem('ERR-3001', 'No document of this tenant has the identifier in the path.');
}
