import type { CodeListEntry, CodeListType } from '../domain/code-list.ts';
import type { Tenant } from '../domain/tenant.ts';

export type CodeListSource = {
  /** The whole list as the authority has it, withdrawn and outdated entries included, asked for in a tenant's name. */
  readonly read: (tenant: Tenant, type: CodeListType) => Promise<readonly CodeListEntry[]>;
};
