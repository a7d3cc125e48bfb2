import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { CodeListEntry, CodeListType } from '../../domain/values/code-list.ts';

export type CodeListSource = {
  /** Reads the whole list from the authority, inactive and outdated entries included, with a tenant's account. */
  readonly read: (tenant: Tenant, type: CodeListType) => Promise<readonly CodeListEntry[]>;
};
