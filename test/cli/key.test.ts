import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { startService, temporaryFolder, until } from '../support/process.ts';
import { commandLine } from './command-line.ts';

const ALFA = '4030026000018';
const SECRET = /^dostava_[0-9A-Za-z]{38}$/u;
const EFFECTIVE_WITHIN_MS = 2_000;
const HOUR_MS = 3_600_000;

type Key = {
  readonly keyId: string;
  readonly tenant: string;
  readonly software: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly allowedAddresses: readonly string[];
  readonly callsPerMinute: number;
  readonly createdAt: string;
};
type Issued = Key & { readonly key: string };

test('keys beside a running service', async (t) => {
  const variables = { DATA_DIR: temporaryFolder() };
  const service = await startService(t, variables);
  const { run, json, refusal } = commandLine(t, variables);

  const issue = (...words: string[]) =>
    json<Issued>('key', 'issue', '--tenant', ALFA, '--software', 'ledger 4.2', ...words);

  /** The code a call with the key gets; null when it is served. */
  async function codeFor(key: string): Promise<string | null> {
    const response = await service.call(key, '/ping');
    return response.status === 200 ? null : ((await response.json()) as { readonly code: string }).code;
  }

  function soon(key: string, code: string | null): Promise<unknown> {
    return until(`${code} for the key`, async () => (await codeFor(key)) === code, EFFECTIVE_WITHIN_MS);
  }

  const first = await issue();

  await t.test('one that is issued works at once, and is shown once', async () => {
    assert.equal(await codeFor(first.key), null);
    const { keyId, key, createdAt, ...rest } = first;
    assert.match(key, SECRET);
    assert.match(keyId, /^key-[0-9a-f]{16}$/u);
    assert.ok(Math.abs(Date.now() - Date.parse(createdAt)) < HOUR_MS);
    assert.deepEqual(rest, {
      tenant: ALFA,
      software: 'ledger 4.2',
      scopes: ['IntegrationApi'],
      expiresAt: null,
      revokedAt: null,
      allowedAddresses: [],
      callsPerMinute: 600,
    });
    const { stdout } = await run('key', 'issue', '--tenant', ALFA, '--software', 'text');
    const [secret = '', , notice = ''] = stdout.split('\n');
    assert.equal(await codeFor(secret), null);
    assert.match(notice, /^This is the only time the key is shown\. Key id: key-[0-9a-f]{16}$/u);
  });

  await t.test('the list shows everything but secrets', async () => {
    const [everyKey, ofBeta, { stdout }] = await Promise.all([
      json<Key[]>('key', 'list'),
      json<Key[]>('key', 'list', '--tenant', '4080026000023'),
      run('key', 'list', '--tenant', ALFA),
    ]);
    const { key: _secret, ...shown } = first;
    assert.deepEqual(
      everyKey.find(({ keyId }) => keyId === first.keyId),
      shown,
    );
    assert.deepEqual(
      ofBeta.map(({ software }) => software),
      ['demo-beta'],
    );
    assert.match(stdout, /^KEY ID +TENANT +SOFTWARE +SCOPES +EXPIRES +REVOKED +ADDRESSES +CALLS\/MIN\n/u);
    const hash = createHash('sha256').update(first.key).digest();
    for (const secret of [first.key, first.key.slice(8), hash.toString('hex'), hash.toString('base64')]) {
      assert.ok(!stdout.includes(secret) && !JSON.stringify(everyKey).includes(secret));
    }
  });

  await t.test('allowed addresses, scopes, expiry and traffic limit are those it was issued with', async () => {
    const [elsewhere, here, reporting, both, expired, limited] = await Promise.all([
      issue('--allow', '192.0.2.7', '--allow', '2001:db8::/32'),
      issue('--allow', '192.0.2.7', '--allow', '127.0.0.0/8'),
      issue('--scope', 'Reporting'),
      issue('--scope', 'Reporting', '--scope', 'IntegrationApi'),
      issue('--expires', '2020-01-01'),
      issue('--rate-limit', '2'),
    ]);
    assert.deepEqual(elsewhere.allowedAddresses, ['192.0.2.7', '2001:db8::/32']);
    assert.deepEqual([await codeFor(elsewhere.key), await codeFor(here.key)], ['ERR-1004', null]);
    assert.deepEqual([await codeFor(reporting.key), await codeFor(both.key)], ['ERR-1005', null]);
    assert.deepEqual([expired.expiresAt, await codeFor(expired.key)], ['2020-01-01T00:00:00.000Z', 'ERR-1002']);
    const calls = [await codeFor(limited.key), await codeFor(limited.key), await codeFor(limited.key)];
    assert.deepEqual([limited.callsPerMinute, ...calls], [2, null, null, 'ERR-1006']);
  });

  await t.test('one with an end works until then', async () => {
    const { key, expiresAt } = await issue('--expires', new Date(Date.now() + 2_000).toISOString());
    const isOver = () => Date.now() >= Date.parse(expiresAt ?? '');
    assert.ok((await codeFor(key)) === null || isOver());
    await until('the key has ended', async () => (await codeFor(key)) === 'ERR-1002');
    assert.ok(isOver());
  });

  await t.test('allow is effective within two seconds, in both directions', async () => {
    const changed = await json<Key>('key', 'allow', first.keyId, '192.0.2.0/24', '2001:db8::1');
    assert.deepEqual(changed.allowedAddresses, ['192.0.2.0/24', '2001:db8::1']);
    await soon(first.key, 'ERR-1004');
    const { stdout } = await run('key', 'allow', first.keyId);
    assert.match(stdout, / any +600\n$/u);
    await soon(first.key, null);
  });

  await t.test('renew gives a successor with the same rights, and both work during the overlap', async () => {
    const old = await issue('--allow', '127.0.0.1', '--rate-limit', '700');
    const renewed = await json<Issued>('key', 'renew', old.keyId, '--overlap-hours', '2', '--expires', '2099-12-31');
    assert.notEqual(renewed.key, old.key);
    const { key: _key, keyId: _keyId, createdAt: _createdAt, ...rights } = renewed;
    assert.deepEqual(rights, {
      tenant: old.tenant,
      software: old.software,
      scopes: old.scopes,
      expiresAt: '2099-12-31T00:00:00.000Z',
      revokedAt: null,
      allowedAddresses: old.allowedAddresses,
      callsPerMinute: 700,
    });
    await soon(renewed.key, null);
    assert.equal(await codeFor(old.key), null);
    const listed = (await json<Key[]>('key', 'list')).find(({ keyId }) => keyId === old.keyId);
    const overlapMs = Date.parse(listed?.expiresAt ?? '') - Date.parse(renewed.createdAt);
    assert.ok(Math.abs(overlapMs - 2 * HOUR_MS) < 1_000, String(overlapMs));
  });

  await t.test('revoke is effective within two seconds and leaves nothing to renew', async () => {
    const { revokedAt } = await json<Key>('key', 'revoke', first.keyId);
    assert.ok(revokedAt !== null && Date.parse(revokedAt) <= Date.now());
    await soon(first.key, 'ERR-1003');
    const [exitCode, stderr] = await refusal('key', 'renew', first.keyId);
    assert.equal(exitCode, 1);
    assert.match(stderr, new RegExp(`${first.keyId} is revoked; issue a new one`, 'u'));
  });

  await service.stop();
});
