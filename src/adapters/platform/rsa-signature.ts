import { constants, type KeyObject, publicDecrypt, timingSafeEqual } from 'node:crypto';

/** The ASN.1 header before a SHA-256 digest in a signature (RFC 8017 §9.2, note 1). */
const SHA256_HEADER = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** What RSASSA-PKCS1-v1_5 pads and encrypts: tokens take it, since they do not hash. */
export function sha256DigestInfo(digest: Uint8Array): Uint8Array {
  return Buffer.concat([SHA256_HEADER, digest]);
}

/** Whether it is the RSASSA-PKCS1-v1_5 signature of the digest by the key's other half. */
export function isSignatureOf(publicKey: KeyObject, digestInfo: Uint8Array, signature: Uint8Array): boolean {
  try {
    const signed = publicDecrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, signature);
    return signed.length === digestInfo.length && timingSafeEqual(signed, digestInfo);
  } catch {
    // Another length, another padding, or a key that is no RSA key: no signature of this key in any case.
    return false;
  }
}
