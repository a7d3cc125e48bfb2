import { createPrivateKey, createPublicKey, hash } from 'node:crypto';
import { sha256DigestInfo } from '../../../src/adapters/platform/rsa-signature.ts';
import type { KeyPair } from '../../support/certificate.ts';
import { inverse } from '../../support/quick-keys.ts';
import type { Chance } from './chance.ts';

/** An RSA key, and its signature by RSASSA-PKCS1-v1_5 with SHA-256 in a fraction of the usual time. */
export type QuickKey = { readonly keys: KeyPair; readonly sign: (bytes: Uint8Array) => Uint8Array };

const EXPONENT = 65_537;
/** A product of two numbers below is an integer of 31 bits, with which processors are quickest. */
const LEAST_PRIME = 23_170;
const MOST_PRIME = 46_340;
const LEAST_BITS = 2_048;
/** The end of what is signed: all that differs from one signature to the next. */
const HASH_BYTES = 32;
/** A sum of products of such a limb and a remainder is exact in floating point. */
const LIMB_BITS = 24;

type Factor = {
  readonly prime: number;
  /** The private exponent modulo the prime less one. */
  readonly exponent: number;
  /** What comes before the hash, modulo the prime. */
  readonly padding: number;
  /** One modulo this prime, and zero modulo all others; the lowest limb first. */
  readonly share: Float64Array;
};

/**
 * An RSA modulus may be the product of any number of primes. Of many small ones it is worth nothing as a secret, but a signature
 * is found by the Chinese remainder theorem with arithmetic on small numbers: signing with a usual key would take a third of all the
 * time of a history. To everybody else it is a key as any other.
 */
export function createQuickKey(chance: Chance): QuickKey {
  const primes = drawPrimes(chance);
  const modulus = product(primes);
  const length = Math.ceil(modulus.toString(2).length / 8);
  const padding = numberOf(padded(sha256DigestInfo(Buffer.alloc(HASH_BYTES)), length));
  const limbs = Math.ceil((8 * length) / LIMB_BITS);
  const factors = primes.map((prime) => factorOf(prime, modulus, padding, limbs));
  return {
    keys: keyPairOf(primes, modulus),
    sign(bytes) {
      const digest = hash('sha256', bytes, 'buffer');
      const sums = new Float64Array(limbs);
      for (const { prime, exponent, padding: rest, share } of factors) {
        const root = power(remainder(digest, rest, prime), exponent, prime);
        for (let at = 0; at < limbs; at += 1) sums[at] = (sums[at] as number) + root * (share[at] as number);
      }
      return Buffer.from((fromLimbs(sums) % modulus).toString(16).padStart(2 * length, '0'), 'hex');
    },
  };
}

/** EMSA-PKCS1-v1_5 (RFC 8017, section 9.2). */
function padded(digestInfo: Uint8Array, length: number): Buffer {
  const filling = Buffer.alloc(length - digestInfo.length - 3, 0xff);
  return Buffer.concat([Buffer.of(0, 1), filling, Buffer.of(0), digestInfo]);
}

/** Of what is signed, modulo a prime. */
function remainder(digest: Buffer, padding: number, prime: number): number {
  let ofDigest = 0;
  for (let at = 0; at < digest.length; at += 1) ofDigest = ((ofDigest << 8) | (digest[at] as number)) % prime;
  return (padding + ofDigest) % prime;
}

function fromLimbs(sums: Float64Array): bigint {
  let carry = 0;
  let hex = '';
  for (const sum of sums) {
    const whole = sum + carry;
    carry = Math.floor(whole / 2 ** LIMB_BITS);
    hex = (whole - carry * 2 ** LIMB_BITS).toString(16).padStart(LIMB_BITS / 4, '0') + hex;
  }
  return BigInt(`0x${carry.toString(16)}${hex}`);
}

function drawPrimes(chance: Chance): readonly number[] {
  const primes = new Set<number>();
  while (product([...primes]).toString(2).length < LEAST_BITS) {
    const candidate = chance.whole(LEAST_PRIME, MOST_PRIME) | 1;
    if (isPrime(candidate)) primes.add(candidate);
  }
  return [...primes];
}

function isPrime(candidate: number): boolean {
  for (let divisor = 3; divisor * divisor <= candidate; divisor += 2) if (candidate % divisor === 0) return false;
  return true;
}

function factorOf(prime: number, modulus: bigint, padding: bigint, limbs: number): Factor {
  const wide = BigInt(prime);
  const others = modulus / wide;
  const share = others * inverse(others % wide, wide);
  return {
    prime,
    exponent: Number(inverse(BigInt(EXPONENT), BigInt(prime - 1))),
    padding: Number(padding % wide),
    share: Float64Array.from({ length: limbs }, (_, at) =>
      Number(BigInt.asUintN(LIMB_BITS, share >> BigInt(LIMB_BITS * at))),
    ),
  };
}

function power(base: number, exponent: number, modulus: number): number {
  let result = 1;
  let square = base;
  for (let left = exponent; left > 0; left >>= 1) {
    if ((left & 1) === 1) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function numberOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}

function product(primes: readonly number[]): bigint {
  return primes.reduce((total, prime) => total * BigInt(prime), 1n);
}

/** The same key in the form that has two factors: each of them is half of the primes. */
function keyPairOf(primes: readonly number[], modulus: bigint): KeyPair {
  const half = primes.length >> 1;
  const [p, q] = [primes.slice(0, half), primes.slice(half)] as const;
  const exponentFor = (of: readonly number[]) =>
    inverse(
      BigInt(EXPONENT),
      of.reduce((all, prime) => all * BigInt(prime - 1), 1n),
    );
  const key = {
    kty: 'RSA',
    n: base64url(modulus),
    e: base64url(BigInt(EXPONENT)),
    d: base64url(exponentFor(primes)),
    p: base64url(product(p)),
    q: base64url(product(q)),
    dp: base64url(exponentFor(p)),
    dq: base64url(exponentFor(q)),
    qi: base64url(inverse(product(q), product(p))),
  };
  return {
    privateKey: createPrivateKey({ key, format: 'jwk' }),
    publicKey: createPublicKey({ key: { kty: key.kty, n: key.n, e: key.e }, format: 'jwk' }),
  };
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}
