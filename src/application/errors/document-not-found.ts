import { formatInstant } from '../../domain/values/instant.ts';
import { type Problem, problem } from './problem.ts';

/** The same answer for an unknown, a malformed and another tenant's identifier: it must not reveal what others have. */
export function documentNotFound(): Problem {
  return problem('ERR-3001', 'No document of this tenant has the identifier in the path.');
}

export function representationMissing(format: string, known: readonly string[], archivedAt: number | null): Problem {
  if (!known.includes(format)) return problem('ERR-3002', `The known formats are ${known.join(', ')}.`);
  if (archivedAt === null) return problem('ERR-3002', `The document exists, but not in the format "${format}".`);
  const day = formatInstant(archivedAt).slice(0, 10);
  return problem(
    'ERR-3002',
    `The files of the document were archived on ${day}; the operator of the service has them.`,
  );
}
