export type Finding = {
  readonly code: string;
  readonly message: string;
  /** The path of the wrong member in the request. */
  readonly parameter?: string;
};

/** A request that the authority answers with one or more error codes; its two APIs write that answer differently. */
export class AuthorityError extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map(({ code, message }) => `${code} ${message}`).join('; '));
    this.findings = findings;
  }
}

export function authorityError(code: string, message: string, parameter?: string): AuthorityError {
  return new AuthorityError([{ code, message, ...(parameter === undefined ? {} : { parameter }) }]);
}
