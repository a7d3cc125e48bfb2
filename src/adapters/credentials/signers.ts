import { KeyUnopened } from '../../application/errors/key-unopened.ts';
import type { KeySealing } from '../../application/ports/credentials.ts';
import type { Clock } from '../../application/ports/platform.ts';
import type { Signer, Signers } from '../../application/ports/signer.ts';
import type { CredentialStore, SealedCredential } from '../../application/ports/storage/credential-store.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import { createTtlCache } from '../platform/ttl-cache.ts';

type Needs = {
  readonly credentials: Pick<CredentialStore, 'find'>;
  readonly sealing: Pick<KeySealing, 'open'>;
  readonly createSigner: (certificatePem: string, privateKeyPem: string) => Promise<Signer>;
  readonly createCommandSigner: (certificatePem: string, commandName: string, tenant: Edb) => Signer;
  readonly clock: Clock;
};

type CachedSigner = { readonly signer: Signer } & Pick<SealedCredential, 'serialNumber' | 'changedAt'>;

/** A new certificate must be used within two seconds. */
const MAX_AGE_MS = 1_000;
/** A signer takes a few kilobytes of memory. */
const MAX_CACHED_SIGNERS = 1_000;

/** Signers made from the stored credentials of tenants; private keys are decrypted when first needed. */
export function createSigners({ credentials, sealing, createSigner, createCommandSigner, clock }: Needs): Signers {
  const cache = createTtlCache<Edb, CachedSigner>(clock, { keptMs: MAX_AGE_MS, most: MAX_CACHED_SIGNERS });

  async function signerOf(credential: SealedCredential): Promise<Signer> {
    const cached = cache.last(credential.tenant);
    const isSame = cached?.changedAt === credential.changedAt && cached.serialNumber === credential.serialNumber;
    if (isSame) return cached.signer;
    try {
      const source = sealing.open(credential);
      return source.kind === 'private-key'
        ? await createSigner(credential.certificate, source.pem)
        : createCommandSigner(credential.certificate, source.name, credential.tenant);
    } catch (error) {
      throw new KeyUnopened(credential.tenant, error);
    }
  }

  return {
    async find(tenant) {
      const cached = cache.fresh(tenant);
      if (cached !== undefined) return cached.signer;
      const takenAt = clock.now();
      const credential = await credentials.find(tenant);
      if (credential === null) {
        cache.delete(tenant);
        return null;
      }
      const signer = await signerOf(credential);
      const { serialNumber, changedAt } = credential;
      cache.set(tenant, { signer, serialNumber, changedAt }, takenAt);
      return signer;
    },
  };
}
