import type { DocumentSearchStore } from '../../../../application/ports/storage/search/document-search-store.ts';
import type { Sql } from '../../engine.ts';
import { countFailed, listFailed } from './failed-search.ts';
import { searchInbound } from './inbound-search.ts';
import { searchOutbound } from './outbound-search.ts';

export function documentSearchStore(sql: Sql): DocumentSearchStore {
  return {
    outbound: (search, limit) => searchOutbound(sql, search, limit),
    inbound: (search, limit) => searchInbound(sql, search, limit),
    countFailed: (search) => countFailed(sql, search),
    failed: (search, after, limit) => listFailed(sql, search, after, limit),
  };
}
