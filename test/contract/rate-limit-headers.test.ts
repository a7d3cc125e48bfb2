import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { requestHead, sendBytes } from '../support/http-client.ts';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { type Answer, request } from './support/client.ts';
import { freshInvoice } from './support/documents.ts';
import { newTenant } from './support/tenant.ts';

// Nothing comes back meanwhile, however slow the machine is.
const service = await startTestService({ clock: clockAt(Date.now()) });
after(() => service.stop());
const { withKey } = await newTenant(service);
const ELSEWHERE = ['192.0.2.7'];
const HOUR_MS = 3_600_000;

function limitOf({ headers }: Answer): readonly (string | undefined)[] {
  return [headers.get('ratelimit')?.replace(/;t=\d+$/u, ''), headers.get('ratelimit-policy') ?? undefined];
}

const left = (calls: number) => [`"minute";r=${calls}`, '"minute";q=9;w=60'];

test('every answer to a recognised key says what is left of its limit, also one to a call that does not count', async () => {
  const client = await withKey({ callsPerMinute: 9 });
  const { headers, get, post, submit } = client;
  const raw = (method: string, path: string, more: Readonly<Record<string, string>> = {}) =>
    sendBytes(service.url, requestHead(method, `/api/integration/v1${path}`, { ...headers, ...more }));
  assert.deepEqual(limitOf(await get('/ping')), left(8));
  const uncounted: readonly (readonly [number, Promise<Answer>])[] = [
    [404, get('/nothing')],
    [405, raw('DELETE', '/ping')],
    [405, raw('PUT', '/outbound', { 'Content-Length': '0' })],
    [400, get('/codelists/colours')],
    [417, raw('GET', '/ping', { Expect: 'coffee' })],
    [400, raw('GET', '/ping', { Host: 'a\r\nHost: b' })],
    [200, get('/openapi.json')],
  ];
  for (const [status, answering] of uncounted) {
    const answer = await answering;
    assert.deepEqual([answer.status, limitOf(answer)], [status, left(8)]);
  }
  const counted: readonly (readonly [number, () => Promise<Answer>])[] = [
    [404, () => get('/outbound/x')],
    [413, () => raw('POST', '/outbound', { 'X-Idempotency-Key': 'k', 'Content-Length': '11000000' })],
    [413, () => raw('POST', '/inbound/x/ack', { 'Content-Length': '70000' })],
    [400, () => post('/inbound/x/ack', '{"tenant":1}')],
    [400, () => get('/ping', { 'X-Software-Id': '' })],
    [400, () => get('/outbound?colour=red')],
    [201, () => submit(freshInvoice())],
    [400, () => submit('no XML')],
    [429, () => get('/ping')],
  ];
  for (const [index, [status, call]] of counted.entries()) {
    const answer = await call();
    assert.deepEqual([answer.status, limitOf(answer)], [status, left(Math.max(0, 7 - index))]);
  }
});

test('an answer to a key that may not be used says so too', async () => {
  const cases = [
    [401, await withKey({ callsPerMinute: 9, expiresAt: Date.now() - HOUR_MS })],
    [403, await withKey({ callsPerMinute: 9, allowedAddresses: ELSEWHERE })],
    [403, await withKey({ callsPerMinute: 9, scopes: [] })],
  ] as const;
  for (const [status, { get }] of cases) {
    const answer = await get('/ping');
    assert.deepEqual([answer.status, limitOf(answer)], [status, left(9)]);
  }
});

test('an answer to nobody has no limit', async () => {
  for (const headers of [{}, { 'X-Api-Key': 'demo-nobody' }, { 'X-Api-Key': ' ' }]) {
    for (const path of ['/ping', '/nothing', '/codelists/colours']) {
      assert.deepEqual(limitOf(await request(`${service.api}${path}`, { headers })), [undefined, undefined]);
    }
  }
});
