import { hash } from 'node:crypto';
import type { KeySecrets } from '../../application/ports/access.ts';
import type { Random } from '../../application/ports/platform.ts';
import { KEY_ALPHABET, KEY_RANDOM_LENGTH, keyChecksum } from '../../domain/accounts/key-checksum.ts';

/** A fixed prefix lets secret scanners recognise leaked keys. */
const PREFIX = 'dostava_';
const KEY = /^dostava_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/u;
const DEMO_KEY = /^demo-[a-z]+$/u;

type Needs = { readonly demoKeys: boolean; readonly random: Random };

/** Keys of the form `dostava_<32 random characters><6 characters of checksum>`; fixed demo keys only where they are allowed. */
export function createKeySecrets({ demoKeys, random }: Needs): KeySecrets {
  return {
    issue() {
      const characters = randomCharacters(random);
      return `${PREFIX}${characters}${keyChecksum(characters)}`;
    },
    hash: (secret) => hash('sha256', secret, 'buffer'),
    isWellFormed(secret) {
      const match = KEY.exec(secret);
      if (match !== null) return keyChecksum(match[1] as string) === match[2];
      return demoKeys && DEMO_KEY.test(secret);
    },
  };
}

/** Bytes from here on are not used: by them the first characters of the alphabet would be likelier than the others. */
const UNEVEN_FROM = 256 - (256 % KEY_ALPHABET.length);

function randomCharacters(random: Random): string {
  let text = '';
  while (text.length < KEY_RANDOM_LENGTH) {
    const even = random.bytes(KEY_RANDOM_LENGTH - text.length).filter((byte) => byte < UNEVEN_FROM);
    for (const byte of even) text += KEY_ALPHABET[byte % KEY_ALPHABET.length];
  }
  return text;
}
