import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeySecrets } from '../../application/ports/access.ts';

/** A fixed prefix lets secret scanners recognise leaked keys. */
const PREFIX = 'dostava_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY = /^dostava_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/u;
const DEMO_KEY = /^demo-[a-z]+$/u;

/** Keys of the form `dostava_<32 random characters><6 characters of checksum>`; fixed demo keys only where they are allowed. */
export function createKeySecrets({ demoKeys }: { readonly demoKeys: boolean }): KeySecrets {
  return {
    issue() {
      const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
      return `${PREFIX}${random}${checksum(random)}`;
    },
    hash: (secret) => hash('sha256', secret, 'buffer'),
    isWellFormed(secret) {
      const match = KEY.exec(secret);
      if (match !== null) return checksum(match[1] as string) === match[2];
      return demoKeys && DEMO_KEY.test(secret);
    },
  };
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit += 1) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
