import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { AuthorityEnvironment } from '../../../../domain/accounts/tenant.ts';

/** A registration of a document that the database does not have any more, by the authority's own marks. */
export type LostRegistration = {
  readonly euid: string;
  /** Empty where it could not be read: then it is one of every type. */
  readonly docTypeCode: string;
  readonly docNumber: string;
  readonly docDate: string;
  /** Null where it could not be read: then the database may have its document. */
  readonly docId: string | null;
  readonly foundAt: number;
};

export type LostRegistrationStore = {
  /** With the environment in which it was found. False when it is on record already. */
  readonly add: (tenant: Edb, lost: LostRegistration, environment: AuthorityEnvironment) => Promise<boolean>;
  /** One of the same type and number that was found in the present environment. */
  readonly find: (
    tenant: Edb,
    marks: Pick<LostRegistration, 'docTypeCode' | 'docNumber'>,
  ) => Promise<LostRegistration | null>;
  /** In whatever letters the EUID is written. */
  readonly registeredAs: (tenant: Edb, euid: string) => Promise<LostRegistration | null>;
};
