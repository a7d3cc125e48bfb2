import type { Clock } from '../../application/ports/platform.ts';
import type { KeyStore } from '../../application/ports/storage/key-store.ts';

type KeyWithTenant = Awaited<ReturnType<KeyStore['findBySecret']>>;

/** A change to a key or tenant must be effective within two seconds. */
const MAX_AGE_MS = 1_000;
const MAX_ENTRIES = 10_000;

/** Caches keys that were found. Unknown ones are not cached: guessing secrets must not fill the memory. */
export function cacheKeys(keys: Pick<KeyStore, 'findBySecret'>, clock: Clock): Pick<KeyStore, 'findBySecret'> {
  const cache = new Map<string, { readonly found: KeyWithTenant; readonly until: number }>();
  return {
    async findBySecret(secretSha256) {
      const name = Buffer.from(secretSha256).toString('latin1');
      const cached = cache.get(name);
      const now = clock.now();
      // An entry from the future was made before the clock was set back.
      if (cached !== undefined && cached.until > now && cached.until <= now + MAX_AGE_MS) return cached.found;
      cache.delete(name);
      const found = await keys.findBySecret(secretSha256);
      if (found === null) return null;
      if (cache.size >= MAX_ENTRIES) cache.clear();
      cache.set(name, { found, until: now + MAX_AGE_MS });
      return found;
    },
  };
}
