import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, suite, test } from 'node:test';
import type { ErrorCode } from '../../src/application/errors/problem-catalogue.ts';
import type { Timers } from '../../src/application/ports/platform.ts';
import { API_ROOT } from '../../src/http/api.ts';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { openConnection, requestHead, sendBytes } from '../support/http-client.ts';
import { until } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { steadyTimers } from '../support/steady-time.ts';
import { clockAt } from '../support/test-clock.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { type Client, json, request, type SentHeaders } from './support/client.ts';
import { assertProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';

const DAY_MS = 86_400_000;
/** Within this time a change of a key must be effective. */
const EFFECTIVE_MS = 2_000;

const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));

const clock = clockAt(Date.now());
let passedMs = 0;
const timers: Timers = { ...steadyTimers, elapsedMs: () => steadyTimers.elapsedMs() + passedMs };
const [service, direct] = await Promise.all([
  startTestService({ clock, timers, variables: { TRUST_PROXY: '127.0.0.1' } }),
  startTestService({ variables: hasIpv6 ? { HOST: '::', DEMO_PUBLIC: 'yes' } : {} }),
]);
after(() => Promise.all([service.stop(), direct.stop()]));
const tenant = await newTenant(service);

const ENDPOINTS: readonly (readonly [string, string])[] = [
  ['GET', '/ping'],
  ['GET', '/codelists/currencies'],
  ['POST', '/outbound'],
  ['GET', '/outbound'],
  ['GET', '/outbound/x'],
  ['GET', '/outbound/x/history'],
  ['GET', '/outbound/x/file'],
  ['POST', '/outbound/x/cancel'],
  ['GET', '/inbound'],
  ['GET', '/inbound/x'],
  ['GET', '/inbound/x/file'],
  ['POST', '/inbound/x/ack'],
];

const everywhere = async (headers: SentHeaders, code: Parameters<typeof assertProblem>[1]) => {
  for (const [method, path] of ENDPOINTS) {
    assertProblem(await request(`${service.api}${path}`, { method, headers }), code);
  }
};

const pingFrom = ({ get }: Client, address: string) => get('/ping', { 'X-Forwarded-For': address });

suite('authentication: both headers, on every endpoint', () => {
  test('without X-Api-Key: ERR-1001', () => everywhere({ 'X-Software-Id': 'test/1' }, 'ERR-1001'));

  test('with a key nobody was issued: ERR-1001', () =>
    everywhere({ 'X-Software-Id': 'test/1', 'X-Api-Key': 'demo-nobody' }, 'ERR-1001'));

  test('without X-Software-Id: ERR-1008', () => everywhere({ 'X-Api-Key': 'demo-alfa' }, 'ERR-1008'));

  test('with a valid key without the scope IntegrationApi: ERR-1005', async () => {
    const { headers } = await tenant.withKey({ scopes: ['Reporting', 'integrationapi'] });
    await everywhere(headers, 'ERR-1005');
  });

  test('neither header substitutes the other', async () => {
    assertProblem(await request(`${service.api}/ping`, { headers: { 'X-Software-Id': 'demo-alfa' } }), 'ERR-1001');
    const bearer = { Authorization: 'Bearer demo-alfa', 'X-Software-Id': 'test/1' };
    assertProblem(await request(`${service.api}/ping`, { headers: bearer }), 'ERR-1001');
    assertProblem(await request(`${service.api}/ping?X-Api-Key=demo-alfa`, { headers: bearer }), 'ERR-1001');
  });

  for (const blank of ['', '   ', '\t']) {
    test(`a blank header is a missing one: ${JSON.stringify(blank)}`, async () => {
      assertProblem(await tenant.get('/ping', { 'X-Api-Key': blank }), 'ERR-1001');
      assertProblem(await tenant.get('/ping', { 'X-Software-Id': blank }), 'ERR-1008');
    });
  }

  test('a key is accepted only letter for letter', async () => {
    const { secret } = await tenant.withKey();
    for (const key of [secret.slice(0, -1), `${secret}0`, secret.toLowerCase(), `"${secret}"`, 'dostava_', '%']) {
      assertProblem(await tenant.get('/ping', { 'X-Api-Key': key }), 'ERR-1001');
    }
  });

  test('a key that is sent twice is said to be, not to be unknown', async () => {
    const { secret } = await tenant.withKey();
    const twice = { 'X-Api-Key': secret, 'x-api-key': secret, 'X-Software-Id': 'test/1' };
    const answer = await sendBytes(service.url, requestHead('GET', '/api/integration/v1/ping', twice));
    assert.equal(assertProblem(answer, 'ERR-1001'), 'The request has more than one key in X-Api-Key. Send it once.');
  });

  test('X-Software-Id that comes several times and is blank each time: ERR-1008', async () => {
    const { 'X-Api-Key': key } = tenant.headers;
    for (const blanks of [
      ['', ''],
      ['', '  ', ''],
    ]) {
      const lines = blanks.map((blank) => `X-Software-Id:${blank}\r\n`).join('');
      const head = `GET /api/integration/v1/ping HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n${lines}\r\n`;
      assertProblem(await sendBytes(service.url, head), 'ERR-1008');
      const named = head.replace('X-Software-Id:\r\n', 'X-Software-Id: test/1\r\n');
      assert.equal((await sendBytes(service.url, named)).status, 200);
    }
  });

  test('X-Software-Id is free text and has no effect on rights', async () => {
    for (const id of [
      'x',
      'Ledger Pro 4.2 (build 7)',
      'admin',
      'a'.repeat(2_000),
      Buffer.from('Сметка/1').toString('latin1'),
    ]) {
      assert.equal((await tenant.get('/ping', { 'X-Software-Id': id })).status, 200);
    }
  });

  test('every refusal for want of a valid key names the scheme in WWW-Authenticate', async () => {
    const { status, headers } = await request(`${service.api}/ping`);
    assert.equal(status, 401);
    assert.match(headers.get('www-authenticate') ?? '', /\S/u);
  });
});

suite('authentication: scopes, expiry, revocation', () => {
  test('a key may carry more scopes than the one it needs', async () => {
    const { get } = await tenant.withKey({ scopes: ['Reporting', 'IntegrationApi'] });
    assert.equal((await get('/ping')).status, 200);
  });

  test('a key expires at its time, to the millisecond', async () => {
    const { get } = await tenant.withKey({ expiresAt: clock.now() + DAY_MS });
    clock.advance(DAY_MS - 1);
    assert.equal((await get('/ping')).status, 200);
    clock.advance(1);
    assertProblem(await get('/ping'), 'ERR-1002');
  });

  test('a revocation is effective within two seconds', async () => {
    const { get, keyId } = await tenant.withKey();
    assert.equal((await get('/ping')).status, 200);
    await service.operator.keys.revoke(keyId);
    clock.advance(EFFECTIVE_MS);
    assertProblem(await get('/ping'), 'ERR-1003');
  });

  const CHANGES: readonly (readonly [string, ErrorCode, (keyId: string) => Promise<unknown>])[] = [
    ['revoked', 'ERR-1003', (keyId) => service.operator.keys.revoke(keyId)],
    ['expired', 'ERR-1002', async () => clock.advance(DAY_MS)],
    ['from another address', 'ERR-1004', (keyId) => service.operator.keys.allow(keyId, ['192.0.2.7'])],
  ];

  /** Sends a call but for the end of its body, whose key was accepted when this resolves. */
  async function begin({ headers }: Client, path: string, body: string, more: SentHeaders = {}) {
    const connection = await openConnection(service.url);
    const about = { 'X-Forwarded-For': '198.51.100.3', Expect: '100-continue', 'Content-Length': `${body.length}` };
    await connection.send(requestHead('POST', `${API_ROOT}${path}`, { ...headers, ...about, ...more }));
    assert.equal((await connection.response())?.status, 100);
    return async () => {
      await connection.send(body);
      const answer = (await connection.response()) ?? assert.fail('no answer');
      connection.abort();
      return answer;
    };
  }

  for (const [what, code, change] of CHANGES) {
    test(`a key that is ${what} before the body of its call has come: ${code}, and nothing is changed`, async () => {
      const client = await tenant.withKey({ expiresAt: clock.now() + DAY_MS });
      const { get, submitted } = await tenant.withKey();
      const docUid = await submitted();
      const [cancel, submit] = [
        await begin(client, `/outbound/${docUid}/cancel`, 'unneeded'),
        await begin(client, '/outbound', sampleInvoice({ number: what }), { 'X-Idempotency-Key': what }),
      ];
      const before = json(await get('/outbound'));
      await change(client.keyId);
      clock.advance(EFFECTIVE_MS);
      passedMs += EFFECTIVE_MS;
      assertProblem(await cancel(), code);
      assertProblem(await submit(), code);
      assert.deepEqual(json(await get('/outbound')), before);
    });
  }

  test('a key that is revoked while its call waits for a change is told nothing of it', async (t) => {
    const client = await tenant.withKey();
    await client.submitted();
    const { next } = json(await request(`${service.url}${EXTENSIONS_ROOT}/changes`, client)) as {
      readonly next: string;
    };
    const reads = t.mock.method(service.foundation.storage.changes, 'read').mock;
    const waiting = request(`${service.url}${EXTENSIONS_ROOT}/changes?wait=50&after=${next}`, client);
    await until('it waits', () => reads.callCount() > 0);
    await service.operator.keys.revoke(client.keyId);
    clock.advance(EFFECTIVE_MS);
    passedMs += EFFECTIVE_MS;
    await tenant.submitted();
    assertProblem(await waiting, 'ERR-1003');
  });

  test('a new key is effective at once', async () => {
    const { get } = await tenant.withKey();
    assert.equal((await get('/ping')).status, 200);
  });

  test('a renewed key works beside the old one until the overlap is over', async () => {
    const old = await tenant.withKey({ software: 'renewed' });
    assert.equal((await old.get('/ping')).status, 200);
    const { secret } = await service.operator.keys.renew(old.keyId, DAY_MS, null);
    const renewed = { 'X-Api-Key': secret };
    clock.advance(EFFECTIVE_MS);
    assert.deepEqual([(await old.get('/ping')).status, (await old.get('/ping', renewed)).status], [200, 200]);
    clock.advance(DAY_MS);
    assertProblem(await old.get('/ping'), 'ERR-1002');
    assert.equal((await old.get('/ping', renewed)).status, 200);
  });
});

suite('authentication: allowed addresses', () => {
  const LISTS: readonly (readonly [readonly string[], readonly string[], readonly string[]])[] = [
    [['192.0.2.7'], ['192.0.2.7', '::ffff:192.0.2.7'], ['192.0.2.8', '2001:db8::7']],
    [['192.0.2.0/24'], ['192.0.2.0', '192.0.2.255'], ['192.0.3.0', '192.0.1.255']],
    [
      ['10.0.0.0/8', '203.0.113.9'],
      ['10.255.0.1', '203.0.113.9'],
      ['11.0.0.1', '203.0.113.10'],
    ],
    [['2001:db8::5'], ['2001:db8::5', '2001:0DB8:0:0:0:0:0:5'], ['2001:db8::6', '192.0.2.5']],
    [['2001:db8:1::/48'], ['2001:db8:1::1', '2001:db8:1:ffff::'], ['2001:db8:2::1']],
    [['0.0.0.0/0'], ['198.51.100.1'], ['2001:db8::1']],
    [['::/0'], ['2001:db8::1'], []],
    [[], ['198.51.100.1', '2001:db8::1'], []],
  ];
  for (const [allowedAddresses, inside, outside] of LISTS) {
    test(`[${allowedAddresses.join(' ')}] lets in ${inside.join(', ')}, not ${outside.join(', ') || 'nobody'}`, async () => {
      const client = await tenant.withKey({ allowedAddresses });
      for (const address of inside) assert.equal((await pingFrom(client, address)).status, 200, address);
      for (const address of outside)
        assert.match(assertProblem(await pingFrom(client, address), 'ERR-1004'), /from \S+/u);
    });
  }

  test('a change of the list is effective within two seconds', async () => {
    const client = await tenant.withKey({ allowedAddresses: ['192.0.2.7'] });
    assert.equal((await pingFrom(client, '192.0.2.7')).status, 200);
    await service.operator.keys.allow(client.keyId, ['198.51.100.0/24']);
    clock.advance(EFFECTIVE_MS);
    assertProblem(await pingFrom(client, '192.0.2.7'), 'ERR-1004');
    assert.equal((await pingFrom(client, '198.51.100.3')).status, 200);
  });

  test('behind a trusted proxy the address is the one it reports last, not one the caller made up', async () => {
    const client = await tenant.withKey({ allowedAddresses: ['192.0.2.7'] });
    assert.equal((await pingFrom(client, '203.0.113.1, 192.0.2.7')).status, 200);
    assertProblem(await pingFrom(client, '192.0.2.7, 203.0.113.1'), 'ERR-1004');
    assertProblem(await client.get('/ping'), 'ERR-1004');
  });

  for (const nonsense of ['unknown', '192.0.2.7:8080:9', '"', ',', '192.0.2.999', '_hidden', 'a'.repeat(500)]) {
    test(`a forwarded address that is none lets nobody in: ${nonsense.slice(0, 20)}`, async () => {
      const client = await tenant.withKey({ allowedAddresses: ['192.0.2.0/24'] });
      assertProblem(await pingFrom(client, nonsense), 'ERR-1004');
    });
  }

  test('what is no address is not kept, repeated or taken for the proxy itself; a port is left out', async () => {
    const here = await tenant.withKey({ allowedAddresses: ['127.0.0.0/8', '::1', '192.0.2.7', '2001:db8::1'] });
    for (const address of ['192.0.2.7:5555', '[2001:db8::1]:443', '[2001:db8::1]', '::ffff:192.0.2.7']) {
      assert.equal((await pingFrom(here, address)).status, 200, address);
    }
    for (const nonsense of [
      '<script>',
      `dostava_${'a'.repeat(38)}`,
      'x'.repeat(3_000),
      '192.0.2.7\t8',
      '192.0.2.7%eth0',
    ]) {
      const detail = assertProblem(await pingFrom(here, nonsense), 'ERR-1004');
      assert.match(detail, /from an address that the proxy did not name/u);
    }
    const anywhere = await tenant.withKey({});
    assert.equal((await pingFrom(anywhere, 'x'.repeat(3_000))).status, 200);
    const entries = await until('the calls on record', async () => {
      const filter = { tenant: tenant.edb, keyId: null, docUid: null, since: null, until: null, limit: 1_000 };
      const all = await service.operator.readAudit(filter);
      return all.some(({ keyId }) => keyId === anywhere.keyId) ? all : null;
    });
    const ofThese = entries.filter(({ keyId }) => keyId === here.keyId || keyId === anywhere.keyId);
    assert.ok(ofThese.length >= 10);
    for (const { address } of ofThese) assert.notEqual(isIP(address), 0, address);
  });

  test('without a trusted proxy X-Forwarded-For and its like count for nothing', async () => {
    const own = await newTenant(direct);
    const elsewhere = await own.withKey({ allowedAddresses: ['192.0.2.7'] });
    const here = await own.withKey({ allowedAddresses: ['127.0.0.1'] });
    for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'X-Client-IP']) {
      const value = name === 'Forwarded' ? 'for=192.0.2.7' : '192.0.2.7';
      assert.match(assertProblem(await elsewhere.get('/ping', { [name]: value }), 'ERR-1004'), /127\.0\.0\.1/u);
      assert.equal((await here.get('/ping', { [name]: value })).status, 200);
    }
  });

  test('a caller over IPv6 is judged by its IPv6 address', {
    skip: hasIpv6 ? false : 'this machine has no IPv6',
  }, async () => {
    const { headers } = await (await newTenant(direct)).withKey({ allowedAddresses: ['::1'] });
    const ping = new URL(`${direct.api}/ping`);
    assertProblem(await request(ping.href, { headers }), 'ERR-1004');
    ping.hostname = '[::1]';
    assert.equal((await request(ping.href, { headers })).status, 200);
  });
});
