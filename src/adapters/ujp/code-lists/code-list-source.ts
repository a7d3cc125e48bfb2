import type { CodeListSource } from '../../../application/ports/code-list-source.ts';
import { unreadableMember } from '../answers/list-member.ts';
import type { AuthorityQueries } from '../services/authority-queries.ts';
import { readCodeListAnswer } from './code-list-answer.ts';
import { CODE_LIST_SERVICES } from './code-list-services.ts';

/** Reads code lists from the authority's catalogue services. */
export function createCodeListSource({ list }: Pick<AuthorityQueries, 'list'>): CodeListSource {
  return {
    read: async (tenant, type) => {
      const service = CODE_LIST_SERVICES[type];
      const entries = readCodeListAnswer(await list(tenant, service.path), service);
      if (entries === null) throw unreadableMember(service.list, service);
      return entries;
    },
  };
}
