import type { IssuedKey } from '../../application/accounts/manage-keys.ts';
import { readEdb } from '../../application/accounts/manage-tenants.ts';
import { type ApiKey, DEFAULT_CALLS_PER_MINUTE, INTEGRATION_SCOPE } from '../../domain/accounts/api-key.ts';
import { type Command, type Output, onePositional, required, UsageError } from '../command.ts';
import { type Table, table } from '../table.ts';
import { readPositiveValue, readTimeLimit, showInstant } from '../values.ts';

const HOUR_MS = 3_600_000;
const DEFAULT_OVERLAP_HOURS = 24;

const EXPIRES = {
  value: 'date-time',
  help: 'When the key expires; a date is the end of that day in Skopje. Default: never.',
};

export const keyIssue: Command = {
  name: 'key issue',
  summary: 'Issues a key. It is shown once and cannot be read again.',
  positionals: '',
  options: {
    tenant: { value: 'EDB', help: 'The taxpayer the key acts for.', isRequired: true },
    software: { value: 'name', help: 'The software the key is issued for.', isRequired: true },
    scope: {
      value: 'scope',
      help: `A right; may be repeated. Default, and always needed: ${INTEGRATION_SCOPE}.`,
    },
    expires: EXPIRES,
    allow: { value: 'address', help: 'An address or CIDR range it may be used from; may be repeated.' },
    'rate-limit': { value: 'calls', help: `Calls a minute. Default: ${DEFAULT_CALLS_PER_MINUTE}.` },
  },
  async run({ keys }, given) {
    const scopes = given.options('scope');
    const callsPerMinute = readPositiveValue('rate-limit', given.option('rate-limit'));
    const issued = await keys.issue({
      tenant: readEdb(required(given, 'tenant')),
      software: required(given, 'software'),
      expiresAt: readTimeLimit('expires', given.option('expires'), 'to'),
      allowedAddresses: given.options('allow'),
      ...(scopes.length === 0 ? {} : { scopes }),
      ...(callsPerMinute === null ? {} : { callsPerMinute }),
    });
    return showIssued(issued);
  },
};

export const keyList: Command = {
  name: 'key list',
  summary: 'Lists keys, without their secrets.',
  positionals: '',
  options: { tenant: { value: 'EDB', help: 'Only those of this taxpayer.' } },
  async run({ keys }, given) {
    const tenant = given.option('tenant');
    const found = await keys.list(tenant === null ? null : readEdb(tenant));
    return { text: keyTable(found), json: found.map(keyJson) };
  },
};

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'Revokes a key. It is refused by all processes within two seconds.',
  positionals: '<keyId>',
  options: {},
  run: async ({ keys }, given) => showKey(await keys.revoke(onePositional(given, 'keyId'))),
};

export const keyRenew: Command = {
  name: 'key renew',
  summary: 'Issues a new key with the same rights; during the overlap both work.',
  positionals: '<keyId>',
  options: {
    'overlap-hours': { value: 'hours', help: `How long the old key still works. Default: ${DEFAULT_OVERLAP_HOURS}.` },
    expires: {
      value: 'date-time|never',
      help: 'When the new key expires; a date is the end of that day in Skopje. Default: when the old one was to expire.',
    },
  },
  async run({ keys }, given) {
    const overlapHours = readPositiveValue('overlap-hours', given.option('overlap-hours')) ?? DEFAULT_OVERLAP_HOURS;
    const keyId = onePositional(given, 'keyId');
    return showIssued(await keys.renew(keyId, overlapHours * HOUR_MS, readRenewedExpiry(given.option('expires'))));
  },
};

export const keyAllow: Command = {
  name: 'key allow',
  summary: 'Sets the addresses a key may be used from.',
  positionals: '<keyId> [address or CIDR range]…',
  options: { everywhere: { value: null, help: 'In place of addresses: it may be used from everywhere.' } },
  async run({ keys }, given) {
    const keyId = onePositional(given, 'keyId');
    const addresses = given.positionals.slice(1);
    const isEverywhere = given.option('everywhere') !== null;
    if (isEverywhere === addresses.length > 0) {
      throw new UsageError('Give the addresses the key may be used from, or --everywhere.');
    }
    return showKey(await keys.allow(keyId, addresses));
  },
};

/** Not given means that the expiry stays. */
function readRenewedExpiry(text: string | null): number | null | undefined {
  if (text === null) return undefined;
  return text === 'never' ? null : readTimeLimit('expires', text, 'to');
}

function showIssued({ key, secret }: IssuedKey): Output {
  const text = `${secret}\n\nThis is the only time the key is shown. Key id: ${key.keyId}`;
  return { text, json: { ...keyJson(key), key: secret } };
}

function showKey(key: ApiKey): Output {
  return { text: keyTable([key]), json: keyJson(key) };
}

function keyTable(keys: readonly ApiKey[]): Table {
  const rows = keys.map((key) => [
    key.keyId,
    key.tenant,
    key.software,
    key.scopes.join(' '),
    showInstant(key.expiresAt),
    showInstant(key.revokedAt),
    showInstant(key.lastUsedAt),
    key.allowedAddresses.join(' ') || 'any',
    key.callsPerMinute,
  ]);
  return table(
    ['KEY ID', 'TENANT', 'SOFTWARE', 'SCOPES', 'EXPIRES', 'REVOKED', 'LAST USED', 'ADDRESSES', 'CALLS/MIN'],
    rows,
  );
}

function keyJson(key: ApiKey) {
  return {
    ...key,
    expiresAt: showInstant(key.expiresAt),
    revokedAt: showInstant(key.revokedAt),
    createdAt: showInstant(key.createdAt),
    lastUsedAt: showInstant(key.lastUsedAt),
  };
}
