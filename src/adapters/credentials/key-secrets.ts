import { hash, randomInt } from 'node:crypto';
import type { KeySecrets } from '../../application/ports/access.ts';
import { KEY_ALPHABET, KEY_RANDOM_LENGTH, keyChecksum } from '../../domain/accounts/key-checksum.ts';

/** A fixed prefix lets secret scanners recognise leaked keys. */
const PREFIX = 'dostava_';
const KEY = /^dostava_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/u;
const DEMO_KEY = /^demo-[a-z]+$/u;

/** Keys of the form `dostava_<32 random characters><6 characters of checksum>`; fixed demo keys only where they are allowed. */
export function createKeySecrets({ demoKeys }: { readonly demoKeys: boolean }): KeySecrets {
  return {
    issue() {
      const random = Array.from({ length: KEY_RANDOM_LENGTH }, () => KEY_ALPHABET[randomInt(KEY_ALPHABET.length)]).join(
        '',
      );
      return `${PREFIX}${random}${keyChecksum(random)}`;
    },
    hash: (secret) => hash('sha256', secret, 'buffer'),
    isWellFormed(secret) {
      const match = KEY.exec(secret);
      if (match !== null) return keyChecksum(match[1] as string) === match[2];
      return demoKeys && DEMO_KEY.test(secret);
    },
  };
}
