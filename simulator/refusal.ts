export type Finding = {
  readonly code: string;
  readonly message: string;
  /** The member of the request at fault, as a path. */
  readonly parameter?: string;
};

/** What the caller must mend; each root of the authority has its own way to say it. */
export class Refusal extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map(({ code, message }) => `${code} ${message}`).join('; '));
    this.findings = findings;
  }
}

export function refusal(code: string, message: string, parameter?: string): Refusal {
  return new Refusal([{ code, message, ...(parameter === undefined ? {} : { parameter }) }]);
}
