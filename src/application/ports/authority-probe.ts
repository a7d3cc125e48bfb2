import type { Tenant } from '../../domain/accounts/tenant.ts';

export type ProbeDeviation = {
  /** For example `taxGroupList[2].percent`; empty for the answer as a whole. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
  /** How many items of the same list deviate alike. */
  readonly times: number;
};

/**
 * How one service answered: `as-expected` · `deviates` · `nothing-found` it has nothing for the taxpayer, which is no error ·
 * `failed` it refused or could not be asked · `not-tried` there is no document to ask for.
 */
export type ProbeOutcome = 'as-expected' | 'deviates' | 'nothing-found' | 'failed' | 'not-tried';

export type ProbeStep = {
  readonly service: string;
  readonly outcome: ProbeOutcome;
  /** Why it failed or was not tried, in a sentence. */
  readonly detail: string | null;
  readonly deviations: readonly ProbeDeviation[];
  /** Members that we do not know; they may be new. */
  readonly unknownMembers: readonly string[];
};

/** Asks every service of the authority that we use, and compares its answers with what we expect. */
export type AuthorityProbe = {
  /** How many services there are. */
  readonly count: () => number;
  /** In the tenant's name and at its pace. Never fails: what fails is a step. */
  readonly run: (tenant: Tenant, onStep: (step: ProbeStep) => void) => Promise<readonly ProbeStep[]>;
  /** Whether the register has a VAT number of the tenant. */
  readonly isVatRegistered: (tenant: Tenant) => Promise<boolean>;
};
