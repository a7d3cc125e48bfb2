import type { AuthorityEnvironment } from '../../../domain/accounts/tenant.ts';
import type { CodeListEntry, CodeListType } from '../../../domain/values/code-list.ts';

export type CachedCodeList = { readonly entries: readonly CodeListEntry[]; readonly readAt: number };

export type CodeListStore = {
  readonly find: (environment: AuthorityEnvironment, type: CodeListType) => Promise<CachedCodeList | null>;
  readonly save: (environment: AuthorityEnvironment, type: CodeListType, list: CachedCodeList) => Promise<void>;
};
