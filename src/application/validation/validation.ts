import type { DocumentPreview } from '../ports/validation/dry-run.ts';

/**
 * `error`: a submission would be refused · `failure`: the document would be accepted and then fail (55) · `unknown`: the authority
 * could not be asked · `warning`: it would be sent all the same.
 */
export const SEVERITIES = ['error', 'failure', 'unknown', 'warning'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Why it is unknown where the look-ups took too long, in our own line or at the authority. No document has it: a delivery waits. */
export const LOOK_UPS_UNFINISHED = 'LOOK-UPS-UNFINISHED';

/**
 * `accepted`: it would be accepted and sent to the authority, which decides · `refused`: the submission would be · `would-fail`: it would
 * be accepted and end in 55 · `unknown`: accepted, but whether it would be sent is not known.
 */
export const OUTCOMES = ['accepted', 'refused', 'would-fail', 'unknown'] as const;
export type ValidationOutcome = (typeof OUTCOMES)[number];

/** One thing that was found in a document, in the order in which it would be noticed. */
export type ValidationFinding = {
  readonly severity: Severity;
  /** An error code, a failure code or the code of a warning, depending on the severity. */
  readonly code: string;
  /** Of the answer to a submission; null where that would be accepted. */
  readonly httpStatus: number | null;
  readonly path: string | null;
  readonly line: number | null;
  readonly message: string;
};

export type Validation = {
  readonly outcome: ValidationOutcome;
  readonly findings: readonly ValidationFinding[];
  /** Null unless the document would be sent. */
  readonly preview: DocumentPreview | null;
};

const BY_SEVERITY: ReadonlyArray<readonly [Severity, ValidationOutcome]> = [
  ['error', 'refused'],
  ['failure', 'would-fail'],
  ['unknown', 'unknown'],
];

/** What would become of a document with these findings: what is noticed first decides. */
export function outcomeOf(findings: readonly Pick<ValidationFinding, 'severity'>[]): ValidationOutcome {
  const worst = BY_SEVERITY.find(([severity]) => findings.some((finding) => finding.severity === severity));
  return worst?.[1] ?? 'accepted';
}
