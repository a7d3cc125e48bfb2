import type { Clock } from '../../application/ports/platform.ts';
import type { KeyStore } from '../../application/ports/storage/key-store.ts';
import { createTtlCache } from '../platform/ttl-cache.ts';

type KeyWithTenant = NonNullable<Awaited<ReturnType<KeyStore['findBySecret']>>>;

/** A change to a key or tenant must be effective within two seconds. */
const MAX_AGE_MS = 1_000;
const MAX_ENTRIES = 10_000;

/** Caches keys that were found. That there is none is not cached: guessing secrets must not fill the memory. */
export function cacheKeys(keys: Pick<KeyStore, 'findBySecret'>, clock: Clock): Pick<KeyStore, 'findBySecret'> {
  const cache = createTtlCache<string, KeyWithTenant>(clock, { keptMs: MAX_AGE_MS, most: MAX_ENTRIES });
  return {
    async findBySecret(secretSha256) {
      const name = Buffer.from(secretSha256).toString('latin1');
      const cached = cache.fresh(name);
      if (cached !== undefined) return cached;
      const takenAt = clock.now();
      const found = await keys.findBySecret(secretSha256);
      if (found === null) cache.delete(name);
      else cache.set(name, found, takenAt);
      return found;
    },
  };
}
