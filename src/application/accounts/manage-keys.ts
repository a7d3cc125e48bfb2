import { type ApiKey, DEFAULT_CALLS_PER_MINUTE, INTEGRATION_SCOPE } from '../../domain/accounts/api-key.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import { message } from '../../domain/messages/message.ts';
import { parseAddressRange } from '../../domain/values/address-range.ts';
import { toHex } from '../../domain/values/hex.ts';
import { saysTooMuch, wholeRange } from '../../domain/values/network-address.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { KeySecrets } from '../ports/access.ts';
import type { Clock, Random } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = {
  readonly storage: Storage;
  readonly secrets: KeySecrets;
  readonly random: Random;
  readonly clock: Clock;
  readonly record: RecordCommand;
};

export type KeyRequest = {
  readonly tenant: Edb;
  readonly software: string;
  readonly scopes?: readonly string[];
  readonly expiresAt?: number | null;
  readonly allowedAddresses?: readonly string[];
  readonly callsPerMinute?: number;
  /** For keys that show what is refused: no call with them succeeds. */
  readonly mayBeUseless?: boolean;
};

/** The only place where the secret is readable: only its hash is stored. */
export type IssuedKey = { readonly key: ApiKey; readonly secret: string };

export type ManageKeys = {
  readonly issue: (request: KeyRequest, secret?: string) => Promise<IssuedKey>;
  readonly list: (tenant: Edb | null) => Promise<readonly ApiKey[]>;
  readonly revoke: (keyId: string) => Promise<ApiKey>;
  /**
   * Issues a new key with the same rights and, unless another is given, the same expiry. The old one expires after the overlap, or
   * earlier if it would have anyway.
   */
  readonly renew: (keyId: string, overlapMs: number, expiresAt?: number | null) => Promise<IssuedKey>;
  /** Without addresses the key may be used from everywhere. */
  readonly allow: (keyId: string, addresses: readonly string[]) => Promise<ApiKey>;
};

export function manageKeys({ storage, secrets, random, clock, record }: Needs): ManageKeys {
  function checkAddresses(list: readonly string[]): readonly string[] {
    const wrong = list.filter((entry) => parseAddressRange(entry) === null);
    if (wrong.length > 0) throw new OperatorError('refused', `Not an address or CIDR range: ${wrong.join(', ')}`);
    for (const entry of list) refuseBitsBeyondPrefix(entry);
    return list;
  }

  function checkScopes(scopes: readonly string[]): void {
    if (scopes.some((scope) => scope.trim() === '')) throw new OperatorError('refused', 'A scope must not be blank.');
  }

  function newKey(request: KeyRequest): ApiKey {
    return {
      keyId: `key-${toHex(random.bytes(8))}`,
      tenant: request.tenant,
      software: request.software,
      scopes: request.scopes ?? [INTEGRATION_SCOPE],
      expiresAt: request.expiresAt ?? null,
      revokedAt: null,
      allowedAddresses: request.allowedAddresses ?? [],
      callsPerMinute: request.callsPerMinute ?? DEFAULT_CALLS_PER_MINUTE,
      createdAt: clock.now(),
      lastUsedAt: null,
    };
  }

  function change(command: string, keyId: string, apply: (key: ApiKey) => ApiKey, what = ''): Promise<ApiKey> {
    return storage.transaction(async (tx) => {
      const changed = apply(await findKey(tx, keyId));
      await tx.keys.update(changed);
      await record(tx, { command, target: `${keyId}${what}`, tenant: changed.tenant });
      return changed;
    });
  }

  return {
    list: (tenant) => storage.keys.list(tenant),
    issue: (request, secret = secrets.issue()) =>
      storage.transaction(async (tx) => {
        if ((await tx.tenants.find(request.tenant)) === null) {
          throw new OperatorError('not-found', message('no-tenant', { tenant: request.tenant }));
        }
        checkScopes(request.scopes ?? []);
        checkAddresses(request.allowedAddresses ?? []);
        const key = newKey(request);
        if (request.mayBeUseless !== true) refuseUseless(key, clock.now());
        await tx.keys.add(key, secrets.hash(secret));
        await record(tx, { command: 'key issue', target: key.keyId, tenant: key.tenant });
        return { key, secret };
      }),
    revoke: (keyId) => change('key revoke', keyId, (key) => ({ ...key, revokedAt: key.revokedAt ?? clock.now() })),
    async allow(keyId, list) {
      const allowedAddresses = checkAddresses(list);
      return change('key allow', keyId, (key) => ({ ...key, allowedAddresses }), ` ${list.join(' ') || 'everywhere'}`);
    },
    renew: (keyId, overlapMs, expiresAt) =>
      storage.transaction(async (tx) => {
        const old = await findKey(tx, keyId);
        if (old.revokedAt !== null) throw new OperatorError('refused', `The key ${keyId} is revoked; issue a new one.`);
        const secret = secrets.issue();
        const key = newKey({ ...old, expiresAt: expiresAt === undefined ? old.expiresAt : expiresAt });
        if (key.expiresAt !== null && key.expiresAt <= clock.now()) {
          throw new OperatorError('refused', `The new key would have expired already, like ${keyId}.`, 'key-expired');
        }
        await tx.keys.add(key, secrets.hash(secret));
        const endsAt = clock.now() + overlapMs;
        await tx.keys.update({ ...old, expiresAt: Math.min(old.expiresAt ?? endsAt, endsAt) });
        await record(tx, { command: 'key renew', target: `${keyId} as ${key.keyId}`, tenant: key.tenant });
        return { key, secret };
      }),
  };
}

/** Whoever issues such a key means another date or scope, and would learn it from the first client that is refused. */
function refuseUseless({ expiresAt, scopes }: ApiKey, now: number): void {
  if (expiresAt !== null && expiresAt <= now) {
    throw new OperatorError('refused', 'The key would have expired already. Give a later time.');
  }
  if (!scopes.includes(INTEGRATION_SCOPE)) {
    throw new OperatorError(
      'refused',
      `Every call with the key would be refused: it needs the scope ${INTEGRATION_SCOPE}.`,
    );
  }
}

/** 10.1.2.3/8 is all of 10.0.0.0/8, and 10.0.0.0/0 is everybody: whoever writes so means something else. */
function refuseBitsBeyondPrefix(entry: string): void {
  const range = parseAddressRange(entry);
  if (range === null || !saysTooMuch(range)) return;
  const text = `${entry} would allow all of ${wholeRange(range)}. Write that if it is what you mean.`;
  throw new OperatorError('refused', text);
}

async function findKey(storage: Storage, keyId: string): Promise<ApiKey> {
  const key = await storage.keys.find(keyId);
  if (key === null) throw new OperatorError('not-found', message('no-key', { key: keyId }));
  return key;
}
