import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import type { Signer } from '../../../application/ports/signer.ts';
import { pemCertificates } from '../../platform/pem-certificates.ts';
import { jwsSigner } from './jws-signer.ts';

/** RFC 7518 §3.3 asks for as much. */
const SHORTEST_KEY_BITS = 2_048;

type SignBytes = (algorithm: string, bytes: Uint8Array, key: KeyObject) => Promise<Uint8Array>;

/** With a callback, Node signs on the platform's threads; without one, on the thread that answers. */
const signApart: SignBytes = promisify(sign);

/** Signs with a key that lies in this process. Of several certificates the one of the key is taken. */
export async function createPemSigner(
  certificatePem: string,
  privateKeyPem: string,
  signBytes: SignBytes = signApart,
): Promise<Signer> {
  const certificates = readCertificates(certificatePem);
  const key = readKey(privateKeyPem);
  const certificate = certificates.find((one) => one.checkPrivateKey(key));
  if (certificate === undefined) throw new Error('The private key does not belong to the certificate.');
  return jwsSigner(certificate, (bytes) => signBytes('sha256', bytes, key));
}

export function readCertificates(pem: string): readonly X509Certificate[] {
  const blocks = pemCertificates(pem);
  if (blocks.length === 0) throw new Error('There is no certificate in PEM.');
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch (cause) {
    throw new Error('The certificate cannot be read.', { cause });
  }
}

function readKey(pem: string): KeyObject {
  const key = parseKey(pem);
  if (key.asymmetricKeyType !== 'rsa')
    throw new Error('The private key is no RSA key, and the authority takes no other.');
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits >= SHORTEST_KEY_BITS) return key;
  throw new Error(`The private key has ${bits} bits; it must have at least ${SHORTEST_KEY_BITS}.`);
}

function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new Error('The private key cannot be read: it is not in PEM, or it is encrypted.', { cause });
  }
}
