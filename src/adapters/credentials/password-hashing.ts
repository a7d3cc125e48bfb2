import { scrypt, timingSafeEqual } from 'node:crypto';
import type { PasswordHashing } from '../../application/ports/access.ts';
import type { Random } from '../../application/ports/platform.ts';
import { createSemaphore } from '../threads/semaphore.ts';

/** 16 MiB for one hash: with more, a few sign-ins at once would take the memory that deliveries need. */
const COST = { N: 16_384, r: 8, p: 5 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORM = /^scrypt-(\d{4,6})-(\d{1,2})-(\d{1,2})-([\w-]{22})-([\w-]{43})$/u;

/** Passwords as scrypt hashes, one at a time, whoever asks; origins take turns. The cost is part of a hash, so that it can be raised later. */
export function createPasswordHashing(random: Random, usual: Cost = COST): PasswordHashing {
  const oneAtATime = createSemaphore(1);

  function derive(password: string, salt: Uint8Array, cost: Cost, origin = ''): Promise<Buffer> {
    const options = { ...cost, maxmem: 256 * cost.N * cost.r };
    return oneAtATime.run(
      origin,
      () =>
        new Promise((resolve, reject) => {
          scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, key) => {
            if (error === null) resolve(key);
            else reject(error);
          });
        }),
    );
  }

  return {
    async hash(password) {
      const salt = random.bytes(SALT_BYTES);
      const hash = await derive(password, salt, usual);
      const { N, r, p } = usual;
      return ['scrypt', N, r, p, Buffer.from(salt).toString('base64url'), hash.toString('base64url')].join('-');
    },
    async isHashOf(hash, password, origin) {
      const read = readHash(hash);
      // As long as for an account that is there: nobody learns which names there are.
      const given = await derive(password, read?.salt ?? random.bytes(SALT_BYTES), read?.cost ?? usual, origin);
      return read !== null && timingSafeEqual(given, read.hash);
    },
  };
}

type Cost = { readonly N: number; readonly r: number; readonly p: number };

function readHash(text: string | null) {
  const [, N, r, p, salt, hash] = FORM.exec(text ?? '') ?? [];
  if (salt === undefined || hash === undefined) return null;
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}
