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

type Kept = {
  readonly signer: Signer;
  readonly serialNumber: string;
  readonly changedAt: number;
  /** Until then the credential counts as unchanged. */
  readonly until: number;
};

/** A new certificate must be used within two seconds. */
const UNCHANGED_MS = 1_000;
/** An opened key is a few kilobytes. */
const KEPT_SIGNERS = 1_000;

/** The signers of the tenants whose certificates are stored here, opened when they are first needed. */
export function createSigners({ credentials, sealing, createSigner, clock }: Needs): Signers {
  const kept = new Map<Edb, Kept>();

  /** Moves the tenant to the end: the one at the front has been asked for longest ago. */
  function keep(tenant: Edb, entry: Kept): void {
    kept.delete(tenant);
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_SIGNERS && oldest !== undefined) kept.delete(oldest);
    kept.set(tenant, entry);
  }

  async function signerOf(credential: SealedCredential): Promise<Signer> {
    const known = kept.get(credential.tenant);
    const isSame = known?.changedAt === credential.changedAt && known.serialNumber === credential.serialNumber;
    return isSame ? known.signer : createSigner(credential.certificate, sealing.open(credential));
  }

  return {
    async find(tenant) {
      const now = clock.now();
      const known = kept.get(tenant);
      // A clock that steps back must not keep an old certificate alive.
      if (known !== undefined && known.until > now && known.until <= now + UNCHANGED_MS) return known.signer;
      const credential = await credentials.find(tenant);
      if (credential === null) {
        kept.delete(tenant);
        return null;
      }
      const signer = await signerOf(credential);
      const { serialNumber, changedAt } = credential;
      keep(tenant, { signer, serialNumber, changedAt, until: now + UNCHANGED_MS });
      return signer;
    },
  };
}
