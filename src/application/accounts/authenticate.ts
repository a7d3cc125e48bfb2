import { type ApiKey, type LimitedKey, whyUnusable } from '../../domain/accounts/api-key.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { Allowance } from '../../domain/accounts/token-bucket.ts';
import { message } from '../../domain/messages/message.ts';
import { type Problem, problem } from '../errors/problem.ts';
import type { AddressList, KeySecrets, RateLimiter } from '../ports/access.ts';
import type { Clock } from '../ports/platform.ts';
import type { KeyStore } from '../ports/storage/key-store.ts';
import { recogniseKey } from './recognise-key.ts';

const ADDRESS_NOT_NAMED = 'The API key may not be used from an address that the proxy did not name.';

type Needs = {
  readonly keys: Pick<KeyStore, 'findBySecret'>;
  readonly secrets: KeySecrets;
  readonly addresses: AddressList;
  readonly limiter: Pick<RateLimiter, 'take'>;
  readonly clock: Clock;
  /** Hears of every call with a key that may be used. */
  readonly noteUse: (key: ApiKey) => void;
  /** The limit that the calls count against; that of the key when left out. */
  readonly limitOf?: (key: ApiKey) => CallLimit;
};

/** A number of calls a minute, and what is said when it is reached. */
export type CallLimit = LimitedKey & { readonly reached: 'rate-limit-reached' | 'inquiry-limit-reached' };

export type Credentials = {
  readonly apiKey: string | undefined;
  readonly softwareId: string | undefined;
  /** Null when it is not known whose call it is: then only keys for every address may be used. */
  readonly address: string | null;
};

/** Receives intermediate results, so that a refused call too is audited under its key and answered with its rate limit. */
export type AuthenticationObserver = {
  readonly keyRecognised: (key: ApiKey, tenant: Tenant) => void;
  readonly allowanceTaken: (key: ApiKey, allowance: Allowance) => void;
};

export type Authenticate = (
  credentials: Credentials,
  observer: AuthenticationObserver,
) => Promise<{ readonly key: ApiKey; readonly tenant: Tenant }>;

/** Whether the key of a call may be used at this moment; throws the problem of one that may not. */
export type CheckKey = (credentials: Pick<Credentials, 'apiKey' | 'address'>) => Promise<void>;

/** For calls that take long: a key may be revoked, expire or lose its address meanwhile. */
export function checkKey({
  keys,
  secrets,
  addresses,
  clock,
}: Pick<Needs, 'keys' | 'secrets' | 'addresses' | 'clock'>): CheckKey {
  const recognise = recogniseKey({ keys, secrets });
  return async ({ apiKey = '', address }) => {
    const known = await recognise(apiKey);
    if (known === null) throw unknownKey(apiKey);
    refuseUnusable(known.key, address, addresses, clock.now());
  };
}

/** Checks every call, in the order of the contract: key, revoked, expired, address, scope, rate limit, software. */
export function authenticate(needs: Needs): Authenticate {
  const { keys, secrets, addresses, limiter, clock, noteUse, limitOf = ofKey } = needs;
  const recognise = recogniseKey({ keys, secrets });
  return async ({ apiKey, softwareId, address }, observer) => {
    if (apiKey === undefined || apiKey === '') throw problem('ERR-1001', 'The X-Api-Key header is missing.');
    const known = await recognise(apiKey);
    if (known === null) throw unknownKey(apiKey);
    const { key, tenant } = known;
    observer.keyRecognised(key, tenant);
    refuseUnusable(key, address, addresses, clock.now());
    noteUse(key);
    const limit = limitOf(key);
    const allowance = await limiter.take(limit);
    observer.allowanceTaken(key, allowance);
    if (!allowance.allowed) throw rateLimitReached(limit, allowance);
    if (softwareId === undefined || softwareId.trim() === '') {
      throw problem('ERR-1008', 'Send X-Software-Id with the name and version of the calling software.');
    }
    return known;
  };
}

/** Headers of the same name arrive as one, with commas; no key has any. */
function unknownKey(apiKey: string): Problem {
  if (apiKey.includes(',')) return problem('ERR-1001', 'The request has more than one key in X-Api-Key. Send it once.');
  return problem('ERR-1001', 'The key in the X-Api-Key header is not known to this service.');
}

function refuseUnusable(key: ApiKey, address: string | null, addresses: AddressList, now: number): void {
  switch (whyUnusable(key, now, (list) => address !== null && addresses.includes(list, address))) {
    case 'revoked':
      throw problem('ERR-1003', 'The API key was revoked by the operator.');
    case 'expired':
      throw problem('ERR-1002', 'The API key has expired.');
    case 'address':
      throw problem('ERR-1004', address === null ? ADDRESS_NOT_NAMED : message('address-not-allowed', { address }));
    case 'scope':
      throw problem('ERR-1005', 'The API key does not carry the scope IntegrationApi.');
    case null:
  }
}

function ofKey(key: ApiKey): CallLimit {
  return { ...key, reached: 'rate-limit-reached' };
}

function rateLimitReached({ callsPerMinute, reached }: CallLimit, allowance: Allowance): Problem {
  const { retryAfterSeconds } = allowance;
  const detail = message(reached, { calls: callsPerMinute, seconds: retryAfterSeconds });
  return problem('ERR-1006', detail, { retryAfterSeconds });
}
