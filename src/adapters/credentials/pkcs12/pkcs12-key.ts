import { hash } from 'node:crypto';

type Order = {
  readonly hash: string;
  readonly password: string;
  readonly salt: Uint8Array;
  readonly iterations: number;
  /** 1 for a key, 2 for an initialisation vector, 3 for a MAC. */
  readonly purpose: number;
  readonly bytes: number;
};

/** Both in bytes: the block that the hash works on. */
const BLOCK_BYTES: Readonly<Record<string, number>> = { sha1: 64, sha224: 64, sha256: 64, sha384: 128, sha512: 128 };

/** PKCS #12's own way to derive a key from a password (RFC 7292, appendix B.2); newer files use it for the MAC alone. */
export function derivePkcs12Key({ hash: name, password, salt, iterations, purpose, bytes }: Order): Uint8Array {
  const block = BLOCK_BYTES[name] ?? 64;
  const diversifier = Buffer.alloc(block, purpose);
  let input = Buffer.concat([filled(salt, block), filled(bmpText(password), block)]);
  let derived = Buffer.alloc(0);
  while (derived.length < bytes) {
    let digest = hash(name, Buffer.concat([diversifier, input]), 'buffer');
    for (let round = 1; round < iterations; round += 1) digest = hash(name, digest, 'buffer');
    derived = Buffer.concat([derived, digest]);
    input = addToBlocks(input, Buffer.alloc(block, digest), block);
  }
  return derived.subarray(0, bytes);
}

/** Two bytes for each character, and two zero bytes at the end. */
function bmpText(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le').swap16();
}

/** Repeated until it fills whole blocks. */
function filled(bytes: Uint8Array, block: number): Buffer {
  return bytes.length === 0 ? Buffer.alloc(0) : Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
}

/** Each block as one number, plus the addend, plus one. */
function addToBlocks(blocks: Buffer, addend: Buffer, block: number): Buffer<ArrayBuffer> {
  const sums = Buffer.from(blocks);
  for (let start = 0; start < sums.length; start += block) {
    let carry = 1;
    for (let at = block - 1; at >= 0; at -= 1) {
      const sum = (sums[start + at] ?? 0) + (addend[at] ?? 0) + carry;
      sums[start + at] = sum & 0xff;
      carry = sum >> 8;
    }
  }
  return sums;
}
