import type { Signer, Signers } from '../../application/ports/authority.ts';
import type { KeySealing } from '../../application/ports/credentials.ts';
import type { Clock } from '../../application/ports/platform.ts';
import type { CredentialStore, SealedCredential } from '../../application/ports/storage/credential-store.ts';
import type { Edb } from '../../domain/accounts/edb.ts';

type Needs = {
  readonly credentials: Pick<CredentialStore, 'find'>;
  readonly sealing: Pick<KeySealing, 'open'>;
  readonly createSigner: (certificatePem: string, privateKeyPem: string) => Promise<Signer>;
  readonly clock: Clock;
};

type CachedSigner = {
  readonly signer: Signer;
  readonly serialNumber: string;
  readonly changedAt: number;
  /** Until then the credential is not read again to see whether it changed. */
  readonly until: number;
};

/** A new certificate must be used within two seconds. */
const MAX_AGE_MS = 1_000;
/** A signer takes a few kilobytes of memory. */
const MAX_CACHED_SIGNERS = 1_000;

/** Signers made from the stored credentials of tenants; private keys are decrypted when first needed. */
export function createSigners({ credentials, sealing, createSigner, clock }: Needs): Signers {
  const cache = new Map<Edb, CachedSigner>();

  /** Evicts the entry that was refreshed longest ago: a Map iterates in the order of insertion. */
  function store(tenant: Edb, entry: CachedSigner): void {
    cache.delete(tenant);
    const [oldest] = cache.keys();
    if (cache.size >= MAX_CACHED_SIGNERS && oldest !== undefined) cache.delete(oldest);
    cache.set(tenant, entry);
  }

  async function signerOf(credential: SealedCredential): Promise<Signer> {
    const cached = cache.get(credential.tenant);
    const isSame = cached?.changedAt === credential.changedAt && cached.serialNumber === credential.serialNumber;
    return isSame ? cached.signer : createSigner(credential.certificate, sealing.open(credential));
  }

  return {
    async find(tenant) {
      const now = clock.now();
      const cached = cache.get(tenant);
      // An entry from the future was made before the clock was set back; it must not prolong the use of an old certificate.
      if (cached !== undefined && cached.until > now && cached.until <= now + MAX_AGE_MS) return cached.signer;
      const credential = await credentials.find(tenant);
      if (credential === null) {
        cache.delete(tenant);
        return null;
      }
      const signer = await signerOf(credential);
      const { serialNumber, changedAt } = credential;
      store(tenant, { signer, serialNumber, changedAt, until: now + MAX_AGE_MS });
      return signer;
    },
  };
}
