import { type Problem, problem } from './problem.ts';

/** One answer for an unknown identifier, another tenant's and one that is none: it must not tell them apart. */
export function documentNotFound(): Problem {
  return problem('ERR-3001', 'No document of this tenant has the identifier in the path.');
}

export function representationMissing(format: string, known: readonly string[]): Problem {
  const detail = known.includes(format)
    ? `The document exists, but not in the format "${format}".`
    : `The known formats are ${known.join(', ')}.`;
  return problem('ERR-3002', detail);
}
