import type { CodeListEntry, CodeListType } from '../domain/code-list.ts';
import type { AuthorityEnvironment } from '../domain/tenant.ts';

/** In whose name a list is read; the authority answers nobody it does not know. */
export type CodeListAsker = {
  readonly edb: string;
  readonly environment: AuthorityEnvironment;
  readonly eujpId: string | null;
};

export type CodeListSource = {
  /** The whole list as the authority has it, withdrawn and outdated entries included. */
  readonly read: (asker: CodeListAsker, type: CodeListType) => Promise<readonly CodeListEntry[]>;
};

/** The authority cannot be asked, does not answer, refuses, or answers what nobody can read. */
export class AuthorityUnavailable extends Error {
  override readonly name = 'AuthorityUnavailable';
}
