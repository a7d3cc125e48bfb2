import { createHmac, createPrivateKey, type KeyObject, timingSafeEqual, X509Certificate } from 'node:crypto';
import type { CredentialReading, Pkcs12Content } from '../../../application/ports/credentials.ts';
import { DerError, type DerValue, memberAt, membersOf, octetsOf, oidOf, readDer, TAG } from './der.ts';
import { decryptWithPassword, iterationsOf, UnsupportedEncryption, WrongPassword } from './password-encryption.ts';
import { derivePkcs12Key } from './pkcs12-key.ts';

const DATA = '2a864886f70d010701';
const ENCRYPTED_DATA = '2a864886f70d010706';
const KEY_BAG = '2a864886f70d010c0a0101';
const SHROUDED_KEY_BAG = '2a864886f70d010c0a0102';
const CERTIFICATE_BAG = '2a864886f70d010c0a0103';
const X509_CERTIFICATE = '2a864886f70d01091601';
/** Other encodings of an octet string: in pieces, and with the tag of its place. */
const OCTETS = [TAG.octets, 0x24, 0x80, TAG.explicit0];

const MAC_HASHES: Readonly<Record<string, { readonly name: string; readonly bytes: number }>> = {
  '2b0e03021a': { name: 'sha1', bytes: 20 },
  '608648016503040201': { name: 'sha256', bytes: 32 },
  '608648016503040202': { name: 'sha384', bytes: 48 },
  '608648016503040203': { name: 'sha512', bytes: 64 },
};
const FOR_MAC = 3;

/** Reads key and certificates out of a PKCS #12 file (RFC 7292). */
export const readPkcs12: CredentialReading['pkcs12'] = (file, password) => {
  try {
    const authenticated = memberAt(readDer(file), 1, TAG.sequence);
    const safe = octetsOf(explicitOf(authenticated, DATA));
    checkMac(readDer(file), safe, password);
    const bags = membersOf(readDer(safe)).flatMap((content) => bagsOf(content, password));
    return contentOf(bags, password);
  } catch (error) {
    if (error instanceof WrongPassword) return { refusal: 'wrong-password' };
    if (error instanceof UnsupportedEncryption) return { refusal: 'unsupported', detail: error.message };
    if (error instanceof DerError) return { refusal: 'damaged' };
    throw error;
  }
};

function contentOf(bags: readonly DerValue[], password: string): Pkcs12Content {
  const [key, ...others] = bags.flatMap((bag) => keyOf(bag, password));
  if (key === undefined) return { refusal: 'no-key' };
  if (others.length > 0) return { refusal: 'several-keys', detail: String(others.length + 1) };
  const certificates = bags.flatMap(certificateOf);
  if (certificates.length === 0) return { refusal: 'no-certificate' };
  return { certificatePem: certificates.join(''), privateKeyPem: key };
}

/** The content of a ContentInfo of this type. */
function explicitOf(info: DerValue, type: string): DerValue {
  if (oidOf(memberAt(info, 0, TAG.oid)) !== type) throw new UnsupportedEncryption('public keys instead of a password');
  return memberAt(memberAt(info, 1, TAG.explicit0), 0, ...OCTETS, TAG.sequence);
}

function bagsOf(info: DerValue, password: string): readonly DerValue[] {
  const isEncrypted = oidOf(memberAt(info, 0, TAG.oid)) === ENCRYPTED_DATA;
  const content = explicitOf(info, isEncrypted ? ENCRYPTED_DATA : DATA);
  return membersOf(readSecret(() => readDer(isEncrypted ? decrypted(content, password) : octetsOf(content))));
}

function decrypted(encryptedData: DerValue, password: string): Uint8Array {
  const info = memberAt(encryptedData, 1, TAG.sequence);
  return decryptWithPassword(memberAt(info, 1, TAG.sequence), octetsOf(memberAt(info, 2, ...OCTETS)), password);
}

function keyOf(bag: DerValue, password: string): readonly string[] {
  const type = oidOf(memberAt(bag, 0, TAG.oid));
  if (type !== KEY_BAG && type !== SHROUDED_KEY_BAG) return [];
  const tagged = memberAt(bag, 1, TAG.explicit0);
  const value = memberAt(tagged, 0, TAG.sequence);
  const der =
    type === KEY_BAG
      ? tagged.content
      : decryptWithPassword(memberAt(value, 0, TAG.sequence), octetsOf(memberAt(value, 1, ...OCTETS)), password);
  const key = readSecret(() => privateKeyOf(der));
  return [key.export({ type: 'pkcs8', format: 'pem' }).toString()];
}

function certificateOf(bag: DerValue): readonly string[] {
  if (oidOf(memberAt(bag, 0, TAG.oid)) !== CERTIFICATE_BAG) return [];
  const value = memberAt(memberAt(bag, 1, TAG.explicit0), 0, TAG.sequence);
  if (oidOf(memberAt(value, 0, TAG.oid)) !== X509_CERTIFICATE) return [];
  const der = octetsOf(memberAt(memberAt(value, 1, TAG.explicit0), 0, ...OCTETS));
  try {
    return [new X509Certificate(der).toString()];
  } catch (cause) {
    throw new DerError('A certificate cannot be read.', { cause });
  }
}

function privateKeyOf(der: Uint8Array): KeyObject {
  try {
    return createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
  } catch (cause) {
    throw new DerError('The private key cannot be read.', { cause });
  }
}

/** A wrong password leaves padding in order once in 256 times. Without a MAC, what was decrypted so shows it. */
function readSecret<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof DerError) throw new WrongPassword('What was decrypted cannot be read.', { cause: error });
    throw error;
  }
}

/** By the MAC a wrong password is told before anything is decrypted. */
function checkMac(pfx: DerValue, safe: Uint8Array, password: string): void {
  const mac = membersOf(pfx)[2];
  if (mac === undefined) return;
  const digestInfo = memberAt(mac, 0, TAG.sequence);
  const hash = MAC_HASHES[oidOf(memberAt(memberAt(digestInfo, 0, TAG.sequence), 0, TAG.oid))];
  if (hash === undefined) throw new UnsupportedEncryption('an unknown MAC');
  const salt = octetsOf(memberAt(mac, 1, TAG.octets));
  const stated = membersOf(mac)[2];
  const iterations = stated === undefined ? 1 : iterationsOf(stated);
  const key = derivePkcs12Key({ hash: hash.name, password, salt, iterations, purpose: FOR_MAC, bytes: hash.bytes });
  const expected = octetsOf(memberAt(digestInfo, 1, TAG.octets));
  const found = createHmac(hash.name, key).update(safe).digest();
  if (expected.length !== found.length || !timingSafeEqual(found, expected))
    throw new WrongPassword('The MAC differs.');
}
