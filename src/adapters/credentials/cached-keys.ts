import type { Clock } from '../../application/ports/platform.ts';
import type { KeyStore } from '../../application/ports/storage/key-store.ts';

type Found = Awaited<ReturnType<KeyStore['findBySecret']>>;

/** A change to a key or tenant must be effective within two seconds. */
const KEPT_MS = 1_000;
const KEPT_KEYS = 10_000;

/** Remembers recognised keys for a moment. Unknown ones are not kept: guessing must not fill the memory. */
export function cacheKeys(keys: Pick<KeyStore, 'findBySecret'>, clock: Clock): Pick<KeyStore, 'findBySecret'> {
  const kept = new Map<string, { readonly found: Found; readonly until: number }>();
  return {
    async findBySecret(secretSha256) {
      const name = Buffer.from(secretSha256).toString('latin1');
      const known = kept.get(name);
      const now = clock.now();
      if (known !== undefined && known.until > now && known.until <= now + KEPT_MS) return known.found;
      kept.delete(name);
      const found = await keys.findBySecret(secretSha256);
      if (found === null) return null;
      if (kept.size >= KEPT_KEYS) kept.clear();
      kept.set(name, { found, until: now + KEPT_MS });
      return found;
    },
  };
}
