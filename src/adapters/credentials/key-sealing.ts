import { createCipheriv, createDecipheriv, hash } from 'node:crypto';
import { OperatorError } from '../../application/errors/operator-error.ts';
import type { KeySealing } from '../../application/ports/credentials.ts';
import type { Random } from '../../application/ports/platform.ts';
import type { SealedCredential } from '../../application/ports/storage/credential-store.ts';
import type { Edb } from '../../domain/accounts/edb.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** The first byte says what is sealed. It is authenticated too, so that a name cannot pass for a key. */
const PRIVATE_KEY = 1;
const SIGNING_COMMAND = 2;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

type SealingKey = { readonly bytes: Uint8Array; readonly fingerprint: string };

/**
 * Encrypts with the first of the sealing keys (32 bytes each, in base64) and decrypts with any of them, so that a sealing key can
 * be replaced while private keys sealed with it are still stored. A sealed key is: format, nonce, tag, ciphertext.
 */
export function createKeySealing(keys: readonly string[], random: Random): KeySealing {
  const sealingKeys = keys.map(parseSealingKey);

  function seal(format: number, tenant: Edb, text: string) {
    const [key] = sealingKeys;
    if (key === undefined) throw new OperatorError('refused', 'There is no CREDENTIALS_KEY to seal private keys with.');
    const nonce = random.bytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(additionalData(format, tenant));
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const sealedKey = Buffer.concat([Buffer.from([format]), nonce, cipher.getAuthTag(), ciphertext]);
    return { sealedKey, sealedBy: key.fingerprint };
  }

  return {
    seal: (tenant, privateKeyPem) => seal(PRIVATE_KEY, tenant, privateKeyPem),
    sealCommand: (tenant, commandName) => seal(SIGNING_COMMAND, tenant, commandName),
    isCurrent: ({ sealedBy }) => sealedBy === sealingKeys[0]?.fingerprint,
    open(credential) {
      const { tenant, sealedBy, sealedKey } = credential;
      const key = sealingKeys.find(({ fingerprint }) => fingerprint === sealedBy);
      if (key === undefined) {
        throw new OperatorError('refused', `The private key of ${tenant} was sealed with another CREDENTIALS_KEY.`);
      }
      const text = unseal(credential, key);
      return sealedKey[0] === SIGNING_COMMAND
        ? { kind: 'signing-command', name: text }
        : { kind: 'private-key', pem: text };
    },
  };
}

function unseal({ tenant, sealedKey }: SealedCredential, key: SealingKey): string {
  const damaged = `The sealed private key of ${tenant} is damaged or was sealed for another tenant.`;
  const format = sealedKey[0] ?? 0;
  const isKnown = format === PRIVATE_KEY || format === SIGNING_COMMAND;
  if (!isKnown || sealedKey.length <= HEADER_BYTES) throw new OperatorError('refused', damaged);
  const nonce = sealedKey.subarray(1, 1 + NONCE_BYTES);
  const tag = sealedKey.subarray(1 + NONCE_BYTES, HEADER_BYTES);
  const decipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(additionalData(format, tenant)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealedKey.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    // The cipher's own error message says less than this sentence.
    throw new OperatorError('refused', damaged);
  }
}

/** Authenticated together with the ciphertext: a sealed key that was copied to another tenant's row cannot be opened. */
function additionalData(format: number, tenant: Edb): Buffer {
  const what = format === PRIVATE_KEY ? 'private key' : 'signing command';
  return Buffer.from(`dostava ${what} ${format} ${tenant}`);
}

function parseSealingKey(text: string): SealingKey {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES) throw new OperatorError('refused', `A CREDENTIALS_KEY must be ${KEY_BYTES} bytes.`);
  return { bytes, fingerprint: hash('sha256', bytes, 'hex').slice(0, 16) };
}
