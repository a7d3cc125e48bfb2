import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { Timers } from '../ports/platform.ts';
import type { AuditEntry, AuditFilter, AuditStore } from '../ports/storage/audit-store.ts';

type Needs = { readonly audit: Pick<AuditStore, 'page'>; readonly nextTurn: Timers['nextTurn'] };

/** A whole page, however many entries have to be looked through for it, with turns for others in between. */
export function readAuditPage({ audit, nextTurn }: Needs): AuditStore['page'] {
  async function read(filter: AuditFilter, olderThan: DocUid | null) {
    const entries: AuditEntry[] = [];
    let next = olderThan;
    for (;;) {
      const page = await audit.page({ ...filter, limit: filter.limit - entries.length }, next);
      entries.push(...page.entries);
      next = page.next;
      if (next === null || entries.length === filter.limit) return { entries, next };
      await nextTurn();
    }
  }

  return async (filter, olderThan) => {
    const { entries, next } = await read(filter, olderThan);
    const hasMore = next !== null && (await read({ ...filter, limit: 1 }, next)).entries.length > 0;
    return { entries, next: hasMore ? next : null };
  };
}
