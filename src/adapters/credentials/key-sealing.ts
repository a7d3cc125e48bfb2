import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { OperatorError } from '../../application/errors/operator-error.ts';
import type { KeySealing } from '../../application/ports/credentials.ts';
import type { SealedCredential } from '../../application/ports/storage/credential-store.ts';
import type { Edb } from '../../domain/accounts/edb.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** What is sealed begins with it, so that another way to seal can stand beside this one. */
const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

type SealingKey = { readonly bytes: Uint8Array; readonly fingerprint: string };

/**
 * Seals with the first of the keys (32 bytes each, in base64) and opens with every one, so that a key can be replaced while
 * what it sealed is still there. A sealed key is: format, nonce, tag, ciphertext.
 */
export function createKeySealing(keys: readonly string[]): KeySealing {
  const known = keys.map(readKey);
  return {
    seal(tenant, privateKeyPem) {
      const [key] = known;
      if (key === undefined)
        throw new OperatorError('refused', 'There is no CREDENTIALS_KEY to seal private keys with.');
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(tenant));
      const ciphertext = Buffer.concat([cipher.update(privateKeyPem, 'utf8'), cipher.final()]);
      const sealedKey = Buffer.concat([Buffer.from([FORMAT]), nonce, cipher.getAuthTag(), ciphertext]);
      return { sealedKey, sealedBy: key.fingerprint };
    },
    open(credential) {
      const { tenant, sealedBy } = credential;
      const key = known.find(({ fingerprint }) => fingerprint === sealedBy);
      if (key === undefined) {
        throw new OperatorError('refused', `The private key of ${tenant} was sealed with another CREDENTIALS_KEY.`);
      }
      return unseal(credential, key);
    },
  };
}

function unseal({ tenant, sealedKey }: SealedCredential, key: SealingKey): string {
  const damaged = `The sealed private key of ${tenant} is damaged or was sealed for somebody else.`;
  if (sealedKey[0] !== FORMAT || sealedKey.length <= HEAD_BYTES) throw new OperatorError('refused', damaged);
  const nonce = sealedKey.subarray(1, 1 + NONCE_BYTES);
  const tag = sealedKey.subarray(1 + NONCE_BYTES, HEAD_BYTES);
  const decipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(tenant)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealedKey.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    // The cipher's own complaint says less than this sentence.
    throw new OperatorError('refused', damaged);
  }
}

/** Authenticated along with the key: in the row of another tenant it does not open. */
function boundTo(tenant: Edb): Buffer {
  return Buffer.from(`dostava private key ${FORMAT} ${tenant}`);
}

function readKey(text: string): SealingKey {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES) throw new OperatorError('refused', `A CREDENTIALS_KEY must be ${KEY_BYTES} bytes.`);
  return { bytes, fingerprint: hash('sha256', bytes, 'hex').slice(0, 16) };
}
