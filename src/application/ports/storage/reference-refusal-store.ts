import type { AuthorityEnvironment } from '../../../domain/accounts/tenant.ts';

/** A document type on which an installation of the authority surely refused references. */
export type ReferenceRefusal = {
  readonly environment: AuthorityEnvironment;
  readonly docTypeCode: string;
  readonly refusedAt: number;
  /** What the authority said. */
  readonly reason: string;
};

export type ReferenceRefusalStore = {
  /** Those that were refused at that time or later. */
  readonly list: (since: number) => Promise<readonly ReferenceRefusal[]>;
  readonly save: (refusal: ReferenceRefusal) => Promise<void>;
  /** False when it is not on record. */
  readonly clear: (environment: AuthorityEnvironment, docTypeCode: string) => Promise<boolean>;
};
