import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { CodeListEntry, CodeListType } from '../../domain/values/code-list.ts';

export type CodeListSource = {
  /** The whole list as the authority has it, withdrawn and outdated entries included, asked for in a tenant's name. */
  readonly read: (tenant: Tenant, type: CodeListType) => Promise<readonly CodeListEntry[]>;
};
