import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { type AuthorityClient, createAuthorityClient } from '../../../../src/adapters/ujp/services/authority-client.ts';
import { AuthorityCallError } from '../../../../src/application/ports/authority.ts';
import type { Tenant } from '../../../../src/domain/accounts/tenant.ts';
import { clockAt } from '../../../support/test-clock.ts';
import { answering, clientOfCanned } from '../answers/canned-authority.ts';
import {
  ALFA_TENANT,
  clientAt,
  clientWith,
  faultOf,
  prepared,
  SIGNERS,
  startBoth,
  verdictOf,
} from '../services/client.ts';

const EUID = '019b8d43-7840-7433-b358-08891b53605c';
const BUSY = '{"success":false,"errorStatus":{"errorCode":"E4007","errorMessage":"1 request per second"}}';

const QUESTIONS: Readonly<Record<string, (client: AuthorityClient, tenant: Tenant) => Promise<unknown>>> = {
  findRegistered: (client, tenant) => client.findRegistered(tenant, prepared()),
  container: (client, tenant) => client.container(tenant, EUID),
  statusChanges: (client, tenant) => client.statusChanges(tenant, '2026-11-15'),
  arrivals: (client, tenant) => client.arrivals(tenant, '2026-11-01', '2026-11-15'),
  arrived: (client, tenant) => client.arrived(tenant, [EUID]),
  arrivedPdf: (client, tenant) => client.arrivedPdf(tenant, EUID),
  list: (client, tenant) => client.list(tenant, 'currency'),
  company: (client, tenant) => client.company(tenant, tenant.edb),
  exchangeRate: (client, tenant) => client.exchangeRate(tenant, 'EUR', '2026-11-15'),
  allowedIndicators: (client, tenant) => client.allowedIndicators(tenant, '100'),
  findByNumber: (client, tenant) => client.findByNumber(tenant, '1', '2026-11-15'),
};
const SEND = (client: AuthorityClient, tenant: Tenant) => client.send(tenant, prepared(), '2026-11-15T10:00:00');
const UNSIGNED = ['list', 'company', 'exchangeRate', 'allowedIndicators'];

const countingBusy = async (t: TestContext, body: string, status: number) => {
  const count = { requests: 0 };
  const answer = answering({ status, body });
  const both = await clientOfCanned(t, (request, response) => {
    count.requests += 1;
    answer(request, response);
  });
  return { ...both, count };
};

for (const [name, ask] of Object.entries(QUESTIONS)) {
  test(`${name}: a question that is turned away is asked four times in all, each in its own turn`, async (t) => {
    for (const [body, status] of [
      [BUSY, 200],
      ['<h1>Too many</h1>', 429],
    ] as const) {
      const { client, turns, count } = await countingBusy(t, body, status);
      assert.equal(await verdictOf(ask(client, ALFA_TENANT)), 'busy, certain');
      assert.equal(count.requests, 4);
      assert.deepEqual(turns, new Array(4).fill(ALFA_TENANT));
    }
  });
}

test('a send that is turned away is sent once, and an authority out of service is asked once', async (t) => {
  const turnedAway = await countingBusy(t, '{"code":"E4007","message":"x"}', 429);
  assert.equal(await verdictOf(SEND(turnedAway.client, ALFA_TENANT)), 'busy, certain');
  assert.equal(turnedAway.count.requests, 1);
  const outOfService = await countingBusy(t, 'Одржување', 503);
  assert.equal(await verdictOf(outOfService.client.list(ALFA_TENANT, 'currency')), 'busy, uncertain');
  assert.equal(outOfService.count.requests, 1);
});

test('a question that is turned away for a while is answered in the end, signed anew each time', async (t) => {
  const clock = clockAt();
  const seen = new Set<string>();
  const listener: RequestListener = async (request, response) => {
    for await (const chunk of request) seen.add(String(chunk));
    clock.advance(1_000);
    response.end(seen.size < 4 ? BUSY : '{"success":true,"euids":[]}');
  };
  const { client, turns } = await clientOfCanned(t, listener, { clock });
  assert.deepEqual(await client.arrivals(ALFA_TENANT, '2026-11-01', '2026-11-15'), []);
  assert.deepEqual([seen.size, turns.length], [4, 4]);
});

test('a question that comes too early however often it is asked is told so; in its time it is answered', async (t) => {
  const { client, authority } = await startBoth(t, { paced: true });
  const ask = () => client.company(ALFA_TENANT, ALFA_TENANT.edb);
  assert.notEqual(await ask(), null);
  assert.equal(await verdictOf(ask()), 'busy, certain');
  authority.clock.advance(1_000);
  assert.notEqual(await ask(), null);
});

test('without the means to ask, nothing is asked and no turn is taken', async () => {
  const nobody = { ...ALFA_TENANT, eujpId: null };
  const nowhere: Tenant = { ...ALFA_TENANT, environment: 'production' };
  const { client, turns } = clientAt('http://127.0.0.1:9', { signers: { find: async () => null } });
  for (const [name, ask] of Object.entries({ ...QUESTIONS, send: SEND })) {
    const without = async (tenant: Tenant, message: RegExp) => {
      const fault = await faultOf(ask(client, tenant));
      assert.deepEqual([fault.kind, fault.isUncertain], ['credentials', false], name);
      assert.match(fault.message, message);
    };
    await without(nobody, /no EUJP-ID/u);
    await without(nowhere, /operator has not configured/u);
    if (!UNSIGNED.includes(name)) await without(ALFA_TENANT, /no certificate/u);
  }
  assert.deepEqual(turns, []);
});

test('a certificate that cannot be opened, or a token that does not sign, is a matter of credentials', async () => {
  const urls = { test: { query: 'http://127.0.0.1:9', receiver: 'http://127.0.0.1:9', portal: 'x' }, production: null };
  const broken = new Error('the seal is broken');
  const failing = clientWith({ urls, signers: { find: () => Promise.reject(broken) } });
  const fault = await faultOf(SEND(failing.client, ALFA_TENANT));
  assert.deepEqual([fault.kind, fault.isUncertain, fault.cause], ['credentials', false, broken]);
  const signer = await SIGNERS.find(ALFA_TENANT.edb);
  assert.ok(signer !== null);
  const unplugged = { ...signer, sign: () => Promise.reject(broken) };
  const { client, turns } = clientWith({ urls, signers: { find: async () => unplugged } });
  const { kind, message } = await faultOf(SEND(client, ALFA_TENANT));
  assert.equal(kind, 'credentials');
  assert.match(message, /does not sign/u);
  assert.deepEqual(turns, []);
});

test('a turn that does not come is no fault of the authority', async () => {
  const stopping = new Error('stopping');
  const client = createAuthorityClient({
    urls: { test: { query: 'http://127.0.0.1:9', receiver: 'http://127.0.0.1:9', portal: 'x' }, production: null },
    signers: SIGNERS,
    pace: { turn: () => Promise.reject(stopping) },
    clock: { now: () => 0 },
    timeouts: { queryMs: 1_000, sendMs: 1_000 },
  });
  await assert.rejects(client.list(ALFA_TENANT, 'currency'), (error) => error === stopping);
  await assert.rejects(SEND(client, ALFA_TENANT), (error) => !(error instanceof AuthorityCallError));
});
