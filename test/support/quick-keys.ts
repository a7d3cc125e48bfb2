import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyPair } from '../../simulator/state/issue-certificate.ts';

const EXPONENT = 65_537n;
/** Every prime below is one more than a divisor of their product, and the exponent is no divisor of it. */
const FACTORS = [2, 2, 2, 2, 2, 2, 3, 3, 3, 5, 5, 7, 11, 13, 17, 19, 23];
/** OpenSSL blinds with a random number that shares no factor with the modulus: with small primes it would not find one. */
const LEAST_PRIME = 2 ** 18;
const MOST_PRIME = 2 ** 25;
const HALF_BITS = 1_024n;

/**
 * An RSA key of 2,048 bits that signs in a ninth of the usual time: 0.4 ms of a processor instead of 3.6, and it is there in 20 ms
 * instead of 220. Its modulus is a product of primes p for which p - 1 divides one small number, so the private exponent has 34
 * bits. It is worth nothing as a secret; to whoever signs, verifies or reads it, it is a key as any other.
 */
export function createQuickKeys(): KeyPair {
  const primes = quickPrimes();
  const half = primes.length >> 1;
  const [p, q] = [halfOfModulus(primes.slice(0, half)), halfOfModulus(primes.slice(half))];
  const d = inverse(EXPONENT, BigInt(product(FACTORS)));
  const [n, e] = [base64url(p * q), base64url(EXPONENT)];
  const secret = { d: base64url(d), p: base64url(p), q: base64url(q), dp: base64url(d), dq: base64url(d) };
  const key = { kty: 'RSA', n, e, ...secret, qi: base64url(inverse(q, p)) };
  return {
    privateKey: createPrivateKey({ key, format: 'jwk' }),
    publicKey: createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' }),
  };
}

function quickPrimes(): readonly bigint[] {
  const divisors = new Set([1]);
  for (const factor of FACTORS) {
    for (const divisor of [...divisors]) if (divisor * factor < MOST_PRIME) divisors.add(divisor * factor);
  }
  return [...divisors]
    .filter((divisor) => divisor > LEAST_PRIME && isPrime(divisor + 1))
    .map((divisor) => BigInt(divisor + 1));
}

function isPrime(candidate: number): boolean {
  if (candidate % 2 === 0) return false;
  for (let divisor = 3; divisor * divisor <= candidate; divisor += 2) if (candidate % divisor === 0) return false;
  return true;
}

/** Successive primes whose product begins with three ones: two such products make a modulus of twice as many bits. */
function halfOfModulus(primes: readonly bigint[]): bigint {
  for (let first = 0; first < primes.length; first += 1) {
    let result = 1n;
    for (let next = first; next < primes.length && result >> (HALF_BITS - 1n) === 0n; next += 1) {
      result *= primes[next] ?? 1n;
    }
    if (result >> (HALF_BITS - 3n) === 7n) return result;
  }
  throw new Error('No product of the primes has the length.');
}

function product(factors: readonly number[]): number {
  return factors.reduce((all, factor) => all * factor, 1);
}

/** Of a number modulo another, by Euclid's extended algorithm. */
export function inverse(value: bigint, modulus: bigint): bigint {
  let [rest, next] = [modulus, value % modulus];
  let [before, factor] = [0n, 1n];
  while (next !== 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [before, factor] = [factor, before - quotient * factor];
  }
  return ((before % modulus) + modulus) % modulus;
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}
