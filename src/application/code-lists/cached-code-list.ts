import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { CodeListType } from '../../domain/values/code-list.ts';
import { AuthorityCallError } from '../ports/authority.ts';
import type { CodeListSource } from '../ports/code-list-source.ts';
import type { Clock } from '../ports/platform.ts';
import type { CachedCodeList } from '../ports/storage/code-list-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** The authority changes its lists rarely; a day is what its own clients use. */
const FRESH_MS = 24 * 3_600_000;
/** After a failed refresh the authority is left alone for a while, and the stale list serves. */
const RETRY_AFTER_FAILURE_MS = 60_000;

export type CodeListNeeds = {
  readonly storage: Storage;
  readonly source: CodeListSource;
  readonly clock: Clock;
  readonly onStale: (type: CodeListType, cause: unknown) => void;
};

export type ReadCachedCodeList = (tenant: Tenant, type: CodeListType) => Promise<CachedCodeList>;

/** A whole list, from the cache of the tenant's environment; read from the authority once a day. */
export function cachedCodeList({ storage, source, clock, onStale }: CodeListNeeds): ReadCachedCodeList {
  const refreshing = new Map<string, Promise<CachedCodeList>>();
  const failedAt = new Map<string, number>();

  return async (tenant, type) => {
    const cached = await storage.codeLists.find(tenant.environment, type);
    if (cached !== null && clock.now() - cached.readAt < FRESH_MS) return cached;
    const name = `${tenant.environment}/${type}`;
    const justFailed = clock.now() - (failedAt.get(name) ?? Number.NEGATIVE_INFINITY) < RETRY_AFTER_FAILURE_MS;
    if (cached !== null && justFailed) return cached;
    try {
      return await refreshOnce(name, tenant, type);
    } catch (error) {
      failedAt.set(name, clock.now());
      if (cached === null) throw error;
      onStale(type, error);
      return cached;
    }
  };

  /** Callers that come together share one request to the authority. */
  function refreshOnce(name: string, tenant: Tenant, type: CodeListType): Promise<CachedCodeList> {
    const refresh = () => refreshCodeList({ storage, source, clock })(tenant, type);
    const running = refreshing.get(name);
    // What fails because of who asked is asked again in the own name.
    if (running !== undefined)
      return running.catch((error: unknown) => (isAboutAsker(error) ? refresh() : raise(error)));
    const started = refresh().finally(() => refreshing.delete(name));
    refreshing.set(name, started);
    return started;
  }
}

function isAboutAsker(error: unknown): boolean {
  return error instanceof AuthorityCallError && error.kind === 'credentials';
}

function raise(error: unknown): never {
  throw error;
}

export type RefreshCodeList = (tenant: Tenant, type: CodeListType) => Promise<CachedCodeList>;

/** Reads one list from the authority now and keeps it. */
export function refreshCodeList({ storage, source, clock }: Omit<CodeListNeeds, 'onStale'>): RefreshCodeList {
  return async (tenant, type) => {
    const list = { entries: await source.read(tenant, type), readAt: clock.now() };
    await storage.transaction((tx) => tx.codeLists.save(tenant.environment, type, list));
    return list;
  };
}
