import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createSemaphore } from '../../../../src/adapters/threads/semaphore.ts';
import { exchangeOverHttp } from '../../../../src/adapters/ujp/gateway/authority-http.ts';
import { type AuthorityClient, createAuthorityClient } from '../../../../src/adapters/ujp/services/authority-client.ts';
import { KeyUnopened } from '../../../../src/application/errors/key-unopened.ts';
import { AuthorityCallError } from '../../../../src/application/ports/authority.ts';
import type { Tenant } from '../../../../src/domain/accounts/tenant.ts';
import { steadyTimers } from '../../../support/steady-time.ts';
import { clockAt } from '../../../support/test-clock.ts';
import { answering, clientOfCanned } from '../answers/canned-authority.ts';
import {
  ALFA_TENANT,
  callErrorKindOf,
  callErrorOf,
  clientAt,
  clientWith,
  prepared,
  SIGNERS,
  startWithClient,
} from '../services/client.ts';

const EUID = '019b8d43-7840-7433-b358-08891b53605c';
const BUSY = '{"success":false,"errorStatus":{"errorCode":"E4007","errorMessage":"1 request per second"}}';

const QUERIES: Readonly<Record<string, (client: AuthorityClient, tenant: Tenant) => Promise<unknown>>> = {
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

for (const [name, ask] of Object.entries(QUERIES)) {
  test(`${name}: a rate-limited query is sent four times in all, each paced`, async (t) => {
    for (const [body, status] of [
      [BUSY, 200],
      ['<h1>Too many</h1>', 429],
    ] as const) {
      const { client, turns, count } = await countingBusy(t, body, status);
      assert.equal(await callErrorKindOf(ask(client, ALFA_TENANT)), 'busy, certain');
      assert.equal(count.requests, 4);
      assert.deepEqual(turns, new Array(4).fill(ALFA_TENANT));
    }
  });
}

test('the last check of a send is made when its turn has come, and nothing is sent where it fails', async (t) => {
  const { client, turns, count } = await countingBusy(t, BUSY, 200);
  const seen: number[] = [];
  const lastCheck = async () => {
    seen.push(turns.length);
    throw new Error('not any more');
  };
  const send = client.send(ALFA_TENANT, { ...prepared(), lastCheck }, '2026-11-15T10:00:00');
  await assert.rejects(send, /not any more/u);
  assert.deepEqual([seen, count.requests], [[1], 0]);
});

test('a rate-limited send is not repeated, and neither is a query answered with HTTP 503', async (t) => {
  const rateLimited = await countingBusy(t, '{"code":"E4007","message":"x"}', 429);
  assert.equal(await callErrorKindOf(SEND(rateLimited.client, ALFA_TENANT)), 'busy, certain');
  assert.equal(rateLimited.count.requests, 1);
  const outOfService = await countingBusy(t, 'Одржување', 503);
  assert.equal(await callErrorKindOf(outOfService.client.list(ALFA_TENANT, 'currency')), 'busy, uncertain');
  assert.equal(outOfService.count.requests, 1);
});

test('a rate-limited query is repeated until it is answered, signed anew each time', async (t) => {
  const clock = clockAt();
  const seen = new Set<string>();
  const listener: RequestListener = async (request, response) => {
    for await (const chunk of request) seen.add(String(chunk));
    clock.advance(1_000);
    response.end(seen.size < 4 ? BUSY : '{"success":true,"invoices":[]}');
  };
  const { client, turns } = await clientOfCanned(t, listener, { clock });
  const nothing = { listed: [], unreadableRows: [] };
  assert.deepEqual(await client.arrivals(ALFA_TENANT, '2026-11-01', '2026-11-15'), nothing);
  assert.deepEqual([seen.size, turns.length], [4, 4]);
});

test('a query that stays rate-limited ends as busy; after a second it is answered', async (t) => {
  const { client, authority } = await startWithClient(t, { paced: true });
  const ask = () => client.company(ALFA_TENANT, ALFA_TENANT.edb);
  assert.notEqual(await ask(), null);
  assert.equal(await callErrorKindOf(ask()), 'busy, certain');
  authority.clock.advance(1_000);
  assert.notEqual(await ask(), null);
});

test('without EUJP-ID, URL or certificate nothing is sent, and nothing of the pace is used', async () => {
  const withoutUser = { ...ALFA_TENANT, eujpId: null };
  const withoutUrl: Tenant = { ...ALFA_TENANT, environment: 'production' };
  const { client, turns } = clientAt('http://127.0.0.1:9', { signers: { find: async () => null } });
  for (const [name, ask] of Object.entries({ ...QUERIES, send: SEND })) {
    const assertCredentials = async (tenant: Tenant, message: RegExp) => {
      const error = await callErrorOf(ask(client, tenant));
      assert.deepEqual([error.kind, error.isUncertain], ['credentials', false], name);
      assert.match(error.message, message);
    };
    await assertCredentials(withoutUser, /no EUJP-ID/u);
    await assertCredentials(withoutUrl, /operator has not configured/u);
    if (!UNSIGNED.includes(name)) await assertCredentials(ALFA_TENANT, /no certificate/u);
  }
  assert.deepEqual(turns, []);
});

test('a certificate that cannot be opened and a token that cannot sign are failures on our side, not of the account', async () => {
  const urls = { test: { query: 'http://127.0.0.1:9', receiver: 'http://127.0.0.1:9', portal: 'x' }, production: null };
  const broken = new Error('cannot decrypt');
  const failing = clientWith({ urls, signers: { find: () => Promise.reject(broken) } });
  const error = await callErrorOf(SEND(failing.client, ALFA_TENANT));
  assert.deepEqual([error.kind, error.isUncertain, error.cause], ['signing', false, broken]);
  const unopened = new KeyUnopened(ALFA_TENANT.edb, new Error('It was sealed with another CREDENTIALS_KEY.'));
  const { client: wrong } = clientWith({ urls, signers: { find: () => Promise.reject(unopened) } });
  const { message: told, reason } = await callErrorOf(SEND(wrong, ALFA_TENANT));
  assert.match(told, /another CREDENTIALS_KEY/u, 'for the operator');
  assert.equal(reason?.key, 'certificate-unreadable', 'for accountants');
  const signer = await SIGNERS.find(ALFA_TENANT.edb);
  assert.ok(signer !== null);
  const unplugged = { ...signer, sign: () => Promise.reject(broken) };
  const { client, turns } = clientWith({ urls, signers: { find: async () => unplugged } });
  const { kind, message } = await callErrorOf(SEND(client, ALFA_TENANT));
  assert.equal(kind, 'signing');
  assert.match(message, /could not sign/u);
  assert.deepEqual(turns, []);
});

test('an error of the pacing itself is passed on unchanged, not as a call error', async () => {
  const stopping = new Error('stopping');
  const client = createAuthorityClient({
    exchange: (request) => exchangeOverHttp(steadyTimers, request),
    urls: { test: { query: 'http://127.0.0.1:9', receiver: 'http://127.0.0.1:9', portal: 'x' }, production: null },
    signers: SIGNERS,
    signatures: createSemaphore(3),
    pace: { turn: () => Promise.reject(stopping) },
    clock: { now: () => 0 },
    timeouts: { queryMs: 1_000, sendMs: 1_000 },
  });
  await assert.rejects(client.list(ALFA_TENANT, 'currency'), (error) => error === stopping);
  await assert.rejects(SEND(client, ALFA_TENANT), (error) => !(error instanceof AuthorityCallError));
});

test('two clients that share a semaphore compute no more signatures at once than it allows, all together', async () => {
  const urls = { test: { query: 'http://127.0.0.1:9', receiver: 'http://127.0.0.1:9', portal: 'x' }, production: null };
  const signer = (await SIGNERS.find(ALFA_TENANT.edb)) ?? assert.fail();
  let running = 0;
  let most = 0;
  const sign = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    throw new Error('not sent');
  };
  const options = { urls, signers: { find: async () => ({ ...signer, sign }) }, signatures: createSemaphore(3) };
  const clients = [clientWith(options), clientWith(options)];
  const sent = clients.flatMap(({ client }) => Array.from({ length: 10 }, () => SEND(client, ALFA_TENANT)));
  for (const { status } of await Promise.allSettled(sent)) assert.equal(status, 'rejected');
  assert.equal(most, 3);
});

test('a request says when it leaves: after its signature, and also when it cannot be built', async (t) => {
  const signer = (await SIGNERS.find(ALFA_TENANT.edb)) ?? assert.fail();
  const { authority } = await startWithClient(t);
  const { url: query, receiverUrl: receiver, portalUrl: portal } = authority.simulator;
  for (const isUnplugged of [false, true]) {
    const steps: string[] = [];
    const sign = async (text: string) => {
      steps.push('signed');
      return isUnplugged ? Promise.reject(new Error('unplugged')) : signer.sign(text);
    };
    const pace = {
      async turn() {
        steps.push('turn');
        return () => void steps.push('leaves');
      },
    };
    const client = createAuthorityClient({
      exchange: (request) => exchangeOverHttp(steadyTimers, request),
      urls: { test: { query, receiver, portal }, production: null },
      signers: { find: async () => ({ ...signer, sign }) },
      signatures: createSemaphore(1),
      pace,
      clock: { now: () => authority.clock.now().getTime() },
      timeouts: { queryMs: 300_000, sendMs: 300_000 },
    });
    const asked = client.statusChanges(ALFA_TENANT, '2026-11-15');
    if (isUnplugged) await assert.rejects(asked, /could not sign/u);
    else await asked;
    assert.deepEqual(steps, ['turn', 'signed', 'leaves']);
  }
});
