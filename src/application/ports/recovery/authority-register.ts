import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { Registration } from '../authority.ts';

/** A document in the authority's list of those of a tenant; number and date are empty where the list does not say them. */
export type ListedRegistration = {
  readonly registration: Registration;
  readonly docNumber: string;
  readonly docDate: string;
};

/** What tells a registered document from others. */
export type RegisteredMarks = Pick<ListedRegistration, 'docNumber' | 'docDate'> & {
  /** Null where it cannot be read: then it may be a document of ours. */
  readonly docId: string | null;
  /** Empty where it cannot be read. */
  readonly docTypeCode: string;
  readonly isVoid: boolean;
  /** The taxpayer has sent it, and is not its seller. */
  readonly isSentForAnother: boolean;
};

/** What the authority has registered for a tenant. Every way to fail is an AuthorityCallError. */
export type AuthorityRegister = {
  /** The documents with dates within these days (`YYYY-MM-DD`), at most a month apart. */
  readonly registeredBetween: (tenant: Tenant, from: string, to: string) => Promise<readonly ListedRegistration[]>;
  readonly registeredMarks: (tenant: Tenant, listed: ListedRegistration) => Promise<RegisteredMarks>;
  /** The identifier under which a document of ours is sent, whenever it is sent. */
  readonly docIdOf: (tenant: Edb, docUid: DocUid) => string;
};
