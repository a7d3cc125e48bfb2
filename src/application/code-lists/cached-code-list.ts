import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { CodeListType } from '../../domain/values/code-list.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import type { CodeListSource } from '../ports/code-list-source.ts';
import { isAboutAsker } from '../ports/pace.ts';
import type { Clock } from '../ports/platform.ts';
import type { CachedCodeList } from '../ports/storage/code-list-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** The authority rarely changes its lists; its own clients cache them for a day too. */
export const CODE_LIST_FRESH_MS = 24 * 3_600_000;
/** After a failed refresh the stale list is used for this long before the authority is asked again. */
const RETRY_AFTER_FAILURE_MS = 60_000;

export type CodeListNeeds = {
  readonly storage: Storage;
  readonly source: CodeListSource;
  readonly clock: Clock;
  readonly onStale: (type: CodeListType, cause: unknown) => void;
  /** The age at which a list is refreshed. */
  readonly freshMs?: number;
};

export type ReadCachedCodeList = (tenant: Tenant, type: CodeListType) => Promise<CachedCodeList>;

/** Reads a whole list from the cache of the tenant's environment, which is refreshed from the authority once a day. */
export function cachedCodeList({
  storage,
  source,
  clock,
  onStale,
  freshMs = CODE_LIST_FRESH_MS,
}: CodeListNeeds): ReadCachedCodeList {
  const refreshing = new Map<string, Promise<CachedCodeList>>();
  const failedAt = new Map<string, number>();

  return async (tenant, type) => {
    const cached = await storage.codeLists.find(tenant.environment, type);
    if (cached !== null && isWithin(cached.readAt, freshMs, clock.now())) return cached;
    const name = `${tenant.environment}/${type}`;
    const lastFailedAt = failedAt.get(name) ?? Number.NEGATIVE_INFINITY;
    const justFailed = isWithin(lastFailedAt, RETRY_AFTER_FAILURE_MS, clock.now());
    if (cached !== null && justFailed) return cached;
    try {
      return await refreshOnce(tenant, type);
    } catch (error) {
      failedAt.set(name, clock.now());
      if (cached === null) throw error;
      onStale(type, error);
      return cached;
    }
  };

  /**
   * Concurrent callers of one user of the authority share one request. Another user has a line of its own: it would wait in that of the
   * first one, which may be long, and have no turn in time where its own comes at once.
   */
  function refreshOnce(tenant: Tenant, type: CodeListType): Promise<CachedCodeList> {
    const name = `${tenant.environment} ${tenant.eujpId ?? ''}/${type}`;
    const refresh = () => refreshCodeList({ storage, source, clock })(tenant, type);
    const running = refreshing.get(name);
    // The shared request may fail because of the other tenant, or because that one came too early; then the caller asks for itself.
    if (running !== undefined)
      return running.catch((error: unknown) => (isAboutAsker(error) ? refresh() : rethrow(error)));
    const started = refresh().finally(() => refreshing.delete(name));
    refreshing.set(name, started);
    return started;
  }
}

/** Clocks differ a little; what was written further ahead than it counts at all was written by a wrong one. */
function isWithin(at: number, ms: number, now: number): boolean {
  return Math.abs(now - at) < ms;
}

function rethrow(error: unknown): never {
  throw error;
}

export type RefreshCodeList = (tenant: Tenant, type: CodeListType) => Promise<CachedCodeList>;

type RefreshNeeds = Omit<CodeListNeeds, 'onStale' | 'freshMs'> & {
  /** Only when an operator asked for it: otherwise it happens by itself. */
  readonly record?: RecordCommand;
};

/** Reads one list from the authority now and caches it. */
export function refreshCodeList({ storage, source, clock, record }: RefreshNeeds): RefreshCodeList {
  return async (tenant, type) => {
    const list = { entries: await source.read(tenant, type), readAt: clock.now() };
    await storage.transaction(async (tx) => {
      await tx.codeLists.save(tenant.environment, type, list);
      await record?.(tx, { command: 'codelists refresh', target: `${tenant.environment} ${type}`, tenant: null });
    });
    return list;
  };
}
