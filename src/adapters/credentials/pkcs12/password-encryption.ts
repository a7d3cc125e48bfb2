import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { counted } from '../../../domain/messages/message.ts';
import { type DerValue, integerOf, memberAt, membersOf, octetsOf, oidOf, TAG } from './der.ts';
import { derivePkcs12Key } from './pkcs12-key.ts';

/** The file is in order but uses something that is not read here. */
export class UnsupportedEncryption extends Error {
  override readonly name = 'UnsupportedEncryption';
}

/** The password does not open it. */
export class WrongPassword extends Error {
  override readonly name = 'WrongPassword';
}

/** Real files have up to a million; deriving a key with more would keep the processor for minutes. */
const MAX_ITERATIONS = 5_000_000;

const PBES2 = '2a864886f70d01050d';
const PBKDF2 = '2a864886f70d01050c';
const SHA1_AND_TRIPLE_DES = '2a864886f70d010c0103';
/** RC2 with 128 and with 40 bits. */
const SHA1_AND_RC2: readonly string[] = ['2a864886f70d010c0105', '2a864886f70d010c0106'];

const PRFS: Readonly<Record<string, string>> = {
  '2a864886f70d0207': 'sha1',
  '2a864886f70d0209': 'sha256',
  '2a864886f70d020a': 'sha384',
  '2a864886f70d020b': 'sha512',
};

type Cipher = { readonly name: string; readonly keyBytes: number };

const CIPHERS: Readonly<Record<string, Cipher>> = {
  '60864801650304012a': { name: 'aes-256-cbc', keyBytes: 32 },
  '608648016503040116': { name: 'aes-192-cbc', keyBytes: 24 },
  '608648016503040102': { name: 'aes-128-cbc', keyBytes: 16 },
  '2a864886f70d0307': { name: 'des-ede3-cbc', keyBytes: 24 },
};
const TRIPLE_DES: Cipher = { name: 'des-ede3-cbc', keyBytes: 24 };
const TRIPLE_DES_IV_BYTES = 8;

/** Which part of PKCS #12's own derivation a key is for (RFC 7292, appendix B.3). */
const FOR_KEY = 1;
const FOR_IV = 2;

/** Decrypts by the algorithm that the file names: PBES2 (RFC 8018) or the former PBE with SHA-1 and Triple DES. */
export function decryptWithPassword(algorithm: DerValue, encrypted: Uint8Array, password: string): Uint8Array {
  const oid = oidOf(memberAt(algorithm, 0, TAG.oid));
  if (SHA1_AND_RC2.includes(oid)) throw new UnsupportedEncryption('RC2');
  if (oid !== PBES2 && oid !== SHA1_AND_TRIPLE_DES) throw new UnsupportedEncryption('an unknown method');
  const parameters = memberAt(algorithm, 1, TAG.sequence);
  return oid === PBES2
    ? decryptPbes2(parameters, encrypted, password)
    : decryptTripleDes(parameters, encrypted, password);
}

export function iterationsOf(value: DerValue): number {
  const iterations = integerOf(value);
  if (iterations === 0 || iterations > MAX_ITERATIONS)
    throw new UnsupportedEncryption(counted(iterations, 'iteration'));
  return iterations;
}

function decryptPbes2(parameters: DerValue, encrypted: Uint8Array, password: string): Uint8Array {
  const derivation = memberAt(parameters, 0, TAG.sequence);
  const scheme = memberAt(parameters, 1, TAG.sequence);
  if (oidOf(memberAt(derivation, 0, TAG.oid)) !== PBKDF2) throw new UnsupportedEncryption('an unknown derivation');
  const cipher = CIPHERS[oidOf(memberAt(scheme, 0, TAG.oid))];
  if (cipher === undefined) throw new UnsupportedEncryption('an unknown cipher');
  const settings = memberAt(derivation, 1, TAG.sequence);
  const salt = octetsOf(memberAt(settings, 0, TAG.octets));
  const iterations = iterationsOf(memberAt(settings, 1, TAG.integer));
  const key = pbkdf2Sync(Buffer.from(password), salt, iterations, cipher.keyBytes, prfOf(settings));
  return decrypt(cipher, key, octetsOf(memberAt(scheme, 1, TAG.octets)), encrypted);
}

/** HMAC with SHA-1 where nothing is said (RFC 8018, appendix A.2). */
function prfOf(settings: DerValue): string {
  const stated = membersOf(settings).find(({ tag }) => tag === TAG.sequence);
  if (stated === undefined) return 'sha1';
  const prf = PRFS[oidOf(memberAt(stated, 0, TAG.oid))];
  if (prf === undefined) throw new UnsupportedEncryption('an unknown derivation');
  return prf;
}

function decryptTripleDes(parameters: DerValue, encrypted: Uint8Array, password: string): Uint8Array {
  const salt = octetsOf(memberAt(parameters, 0, TAG.octets));
  const iterations = iterationsOf(memberAt(parameters, 1, TAG.integer));
  const derive = (purpose: number, bytes: number) =>
    derivePkcs12Key({ hash: 'sha1', password, salt, iterations, purpose, bytes });
  return decrypt(TRIPLE_DES, derive(FOR_KEY, TRIPLE_DES.keyBytes), derive(FOR_IV, TRIPLE_DES_IV_BYTES), encrypted);
}

function decrypt({ name }: Cipher, key: Uint8Array, iv: Uint8Array, encrypted: Uint8Array): Uint8Array {
  try {
    const decipher = createDecipheriv(name, key, iv);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch (cause) {
    // The padding is wrong: nearly always because the key is.
    throw new WrongPassword('The password does not open it.', { cause });
  }
}
