import type { EarlierDocument } from '../../../application/ports/authority.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { AuthorityEnvironment, Tenant } from '../../../domain/accounts/tenant.ts';
import type { JsonObject } from '../answers/json-object.ts';
import type { RegistryCompany, ServedExchangeRate, ServedLists } from '../conversion/conversion-context.ts';

/** What is looked up at the authority on the way to a document. Every way to fail is an AuthorityCallError. */
export type AuthorityQueries = {
  /** The answer of a catalogue service, by its path below `/api/v1/`. */
  readonly list: (tenant: Tenant, path: string) => Promise<JsonObject>;
  /** Null where the authority has no such company. */
  readonly company: (tenant: Tenant, edb: Edb) => Promise<RegistryCompany | null>;
  /** Null where the authority has no rate. */
  readonly exchangeRate: (tenant: Tenant, currency: string, date: string) => Promise<ServedExchangeRate | null>;
  /** The active ones, each once, whatever their validity; none where the authority does not know the type. */
  readonly allowedIndicators: (tenant: Tenant, docTypeCode: string) => Promise<ServedLists['allowedIndicators']>;
  /** The only registered document of that number and date; null where there is none, or more than one. */
  readonly findByNumber: (tenant: Tenant, docNumber: string, docDate: string) => Promise<EarlierDocument | null>;
  /** The time by the authority's clock, in milliseconds since 1970, asked for now. */
  readonly serverTime: (environment: AuthorityEnvironment) => Promise<number>;
};
