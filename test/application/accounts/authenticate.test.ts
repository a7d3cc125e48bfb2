import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAddressList } from '../../../src/adapters/credentials/address-list.ts';
import { createKeySecrets } from '../../../src/adapters/credentials/key-secrets.ts';
import { createRateLimiter } from '../../../src/adapters/limits/rate-limiter.ts';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import { authenticate, type Credentials } from '../../../src/application/accounts/authenticate.ts';
import { Problem } from '../../../src/application/errors/problem.ts';
import type { ErrorCode } from '../../../src/application/errors/problem-catalogue.ts';
import type { ApiKey } from '../../../src/domain/accounts/api-key.ts';
import { MORNING, newKey, newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

const secrets = createKeySecrets({ random: systemRandom, demoKeys: false });
const HERE = '192.0.2.7';

async function keyWith(changes: Partial<ApiKey>): Promise<{ readonly secret: string; readonly key: ApiKey }> {
  const tenant = newTenant();
  const key = newKey(tenant.edb, changes);
  const secret = secrets.issue();
  await database.storage.transaction(async (tx) => {
    await tx.tenants.add(tenant, MORNING);
    await tx.keys.add(key, secrets.hash(secret));
  });
  return { secret, key };
}

function guard(clock = clockAt()) {
  const learnt: string[] = [];
  const used: string[] = [];
  const check = authenticate({
    keys: database.storage.keys,
    secrets,
    addresses: createAddressList(),
    limiter: createRateLimiter(clock),
    clock,
    noteUse: ({ keyId }) => void used.push(keyId),
  });
  const witness = {
    keyRecognised: ({ keyId }: ApiKey) => void learnt.push(`key ${keyId}`),
    allowanceTaken: (_: ApiKey, { remaining }: { remaining: number }) => void learnt.push(`${remaining} left`),
  };
  return { learnt, used, call: (credentials: Partial<Credentials>) => check({ ...NOTHING, ...credentials }, witness) };
}

const NOTHING: Credentials = { apiKey: undefined, softwareId: undefined, address: HERE };

function refusedWith(code: ErrorCode) {
  return (error: unknown) => error instanceof Problem && error.code === code;
}

/** Everything a key can have wrong, first to be noticed first; each row repairs one thing more. */
const LADDER: readonly (readonly [code: ErrorCode, key: Partial<ApiKey>])[] = [
  [
    'ERR-1003',
    { revokedAt: MORNING, expiresAt: MORNING, allowedAddresses: ['10.0.0.1'], scopes: [], callsPerMinute: 1 },
  ],
  ['ERR-1002', { expiresAt: MORNING, allowedAddresses: ['10.0.0.1'], scopes: [], callsPerMinute: 1 }],
  ['ERR-1004', { allowedAddresses: ['10.0.0.1'], scopes: [], callsPerMinute: 1 }],
  ['ERR-1005', { scopes: ['Reporting'], callsPerMinute: 1 }],
];

for (const [code, faults] of LADDER) {
  test(`${code} hides what comes after it: traffic and a missing software, too`, async () => {
    const { secret } = await keyWith(faults);
    const { call, used } = guard();
    for (let turn = 0; turn < 3; turn += 1) await assert.rejects(call({ apiKey: secret }), refusedWith(code));
    assert.deepEqual(used, [], 'a refused key is not in use');
  });
}

test('without a key, or with one nobody knows, nothing else is looked at', async () => {
  const { call, learnt } = guard();
  for (const apiKey of [undefined, '', ' ', 'nonsense', 'demo-alfa', secrets.issue(), `${'x'.repeat(10_000)}`]) {
    await assert.rejects(call({ apiKey }), refusedWith('ERR-1001'));
  }
  assert.deepEqual(learnt, []);
});

test('the traffic limit is looked at before the software', async () => {
  const { secret } = await keyWith({ callsPerMinute: 1 });
  const { call } = guard();
  await assert.rejects(call({ apiKey: secret }), refusedWith('ERR-1008'));
  await assert.rejects(call({ apiKey: secret }), refusedWith('ERR-1006'));
});

test('a call that is refused for its key takes nothing from the traffic limit', async () => {
  const { secret, key } = await keyWith({ callsPerMinute: 2, allowedAddresses: [HERE] });
  const { call, learnt } = guard();
  for (let turn = 0; turn < 5; turn += 1) {
    await assert.rejects(call({ apiKey: secret, address: '10.9.9.9' }), refusedWith('ERR-1004'));
  }
  await call({ apiKey: secret, softwareId: 'ledger/1' });
  assert.deepEqual(learnt, [...new Array(6).fill(`key ${key.keyId}`), '1 left']);
});

test('too much traffic says how long to wait, and waiting helps', async () => {
  const { secret } = await keyWith({ callsPerMinute: 5 });
  const clock = clockAt();
  const { call } = guard(clock);
  const calling = () => call({ apiKey: secret, softwareId: 'ledger/1' });
  for (let turn = 0; turn < 5; turn += 1) await calling();
  const refusal = await calling().catch((error: unknown) => error);
  assert.ok(refusal instanceof Problem && refusal.code === 'ERR-1006');
  assert.equal(refusal.retryAfterSeconds, 12);
  clock.advance(12_000);
  await calling();
});

test('a software that is blank is missing', async () => {
  const { secret } = await keyWith({});
  const { call } = guard();
  for (const softwareId of [undefined, '', ' ', '\t']) {
    await assert.rejects(call({ apiKey: secret, softwareId }), refusedWith('ERR-1008'));
  }
});

test('a good call learns its key, its tenant and what is left', async () => {
  const { secret, key } = await keyWith({ allowedAddresses: ['192.0.2.0/24'], expiresAt: MORNING + 1 });
  const { call, learnt, used } = guard();
  const caller = await call({ apiKey: secret, softwareId: 'ledger/4.2' });
  assert.deepEqual([caller.key, caller.tenant.edb], [key, key.tenant]);
  assert.deepEqual(learnt, [`key ${key.keyId}`, '599 left']);
  assert.deepEqual(used, [key.keyId]);
});

test('a refusal never repeats the secret', async () => {
  const { secret } = await keyWith({ revokedAt: MORNING });
  const error = await guard()
    .call({ apiKey: secret })
    .catch((refusal: unknown) => refusal as Problem);
  assert.ok(error instanceof Problem);
  assert.ok(!`${error.message} ${error.detail} ${error.stack}`.includes(secret));
});
