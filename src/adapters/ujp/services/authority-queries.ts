import type { Authority, EarlierDocument, Registration } from '../../../application/ports/authority.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { AuthorityEnvironment, Tenant } from '../../../domain/accounts/tenant.ts';
import type { JsonObject } from '../answers/json-object.ts';
import type { RegistryCompany, ServedExchangeRate, ServedLists } from '../conversion/conversion-context.ts';

/** What is looked up; another one may have its number. */
export type LookedUpDocument = Parameters<Authority['findRegistered']>[1];

/** What the register has under the number and date of a document. */
export type UnderNumber = {
  /** The document itself. */
  readonly registration: Registration | null;
  /** By whichever document. */
  readonly isNumberTaken: boolean;
};

/** Queries that are needed to prepare a document. Every failure is an AuthorityCallError. */
export type AuthorityQueries = {
  /** The answer of a catalogue service; the path is relative to `/api/v1/`. */
  readonly list: (tenant: Tenant, path: string) => Promise<JsonObject>;
  /** Null when the registry has no such company. */
  readonly company: (tenant: Tenant, edb: Edb) => Promise<RegistryCompany | null>;
  /** Null when there is no rate for that day. */
  readonly exchangeRate: (tenant: Tenant, currency: string, date: string) => Promise<ServedExchangeRate | null>;
  /** The active ones, each once, whatever their dates of validity; none for a type that the authority does not know. */
  readonly allowedIndicators: (tenant: Tenant, docTypeCode: string) => Promise<ServedLists['allowedIndicators']>;
  /** The registered document with this number and date; null when there is none or more than one. */
  readonly findByNumber: (tenant: Tenant, docNumber: string, docDate: string) => Promise<EarlierDocument | null>;
  /** Looks for a document by its identifier among those with its number and date. */
  readonly registeredUnderNumber: (tenant: Tenant, document: LookedUpDocument) => Promise<UnderNumber>;
  /** The text that was signed for a registered document. */
  readonly registeredPayload: (tenant: Tenant, euid: string) => Promise<string>;
  /** The answer of the service for payloads about an arrival as it came, refusals included. */
  readonly askForPayload: (tenant: Tenant, euid: string) => Promise<JsonObject>;
  /** The PDF service's answer about an arrival as it came, refusals included. */
  readonly askForPdf: (tenant: Tenant, euid: string) => Promise<JsonObject>;
  /** The authority's time in milliseconds since 1970, fetched now. */
  readonly serverTime: (environment: AuthorityEnvironment) => Promise<number>;
};
