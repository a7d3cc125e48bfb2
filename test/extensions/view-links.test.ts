import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { type Answer, json, request } from '../contract/support/client.ts';
import { assertPlainProblem, assertProblem } from '../contract/support/problem.ts';
import { type IssuedClient, newTenant } from '../contract/support/tenant.ts';
import { fileOf, newInbound } from '../engines/samples.ts';
import { until } from '../support/process.ts';
import { as, startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { ARRIVED } from './arrived-document.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEYS = [1, 2].map((seed) => Buffer.alloc(32, `sealing key ${seed}`).toString('base64')) as [string, string];
const clock = clockAt(Date.now());
const service = await startTestService({ clock, variables: { CREDENTIALS_KEY: KEYS[0] } });
after(() => service.stop());
const tenant = await newTenant(service);
const client = await tenant.withKey();

type Link = { readonly url: string; readonly expiresAt: string };

async function linkOf(docUid: string, query = '', by: IssuedClient = client, direction = 'outbound'): Promise<Link> {
  const path = `${EXTENSIONS_ROOT}/${direction}/${docUid}/view-link${query}`;
  const answer = await request(`${service.url}${path}`, { method: 'POST', headers: as(by.secret) });
  assert.equal(answer.status, 200, answer.text);
  return json(answer) as Link;
}

/** Opens a link, whose limit is filled up again. */
function open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  clock.advance(1_000);
  return request(url, { headers });
}

function assertUnusable(answer: Answer): string {
  assert.equal(answer.status, 404, answer.text);
  assert.match(answer.text, /ERR-3001/u);
  const { headers } = answer;
  return JSON.stringify([
    answer.text,
    ...['content-type', 'cache-control', 'content-security-policy', 'content-length'].map((name) => headers.get(name)),
  ]);
}

suite('a link by which a document is viewed without a key', () => {
  test('shows the document, in the language of the reader, to nobody else and to no cache', async () => {
    const { url, expiresAt } = await linkOf(await client.submitted());
    assert.equal(Date.parse(expiresAt), clock.now() + 7 * DAY_MS);
    const page = await open(url, { 'Accept-Language': 'mk' });
    assert.deepEqual([page.status, page.headers.get('content-language')], [200, 'mk']);
    assert.match(page.text, /<h1>Фактура C-/u);
    const [, token = ''] = url.split('link=');
    assert.ok(page.text.includes(`href="?link=${token}&amp;lang=en"`));
    assert.match((await open(`${url}&lang=en`)).text, /<h1>Invoice C-/u);
    const expected = {
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    };
    for (const [name, value] of Object.entries(expected)) assert.equal(page.headers.get(name), value, name);
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/u);
  });

  test('shows a received document as well', async () => {
    const { storage } = service.foundation;
    const document = newInbound({ original: fileOf(JSON.stringify(ARRIVED)) });
    const { stored } = await storage.transaction((tx) => tx.inbound.add(tenant.edb, document, clock.now()));
    const { url } = await linkOf(stored.docUid, '', client, 'inbound');
    assert.match((await open(url)).text, /<h1>Invoice 26-0001/u);
  });

  test('whatever is wrong with it, the page is the same', async () => {
    const docUid = await client.submitted();
    const { url } = await linkOf(docUid);
    const other = await linkOf(await client.submitted());
    const [address = '', token = ''] = url.split('?link=');
    const [time = '', edb = '', keyId = '', signature = ''] = token.split('.');
    const foreign = await newTenant(service);
    const forged = (...parts: readonly string[]) => `${address}?link=${parts.join('.')}`;
    const last = signature.at(-1) === 'A' ? 'B' : 'A';
    const wrong = [
      address,
      `${address}?link=`,
      `${url}&link=${token}`,
      `${url}x`,
      url.slice(0, -1),
      forged(time, edb, keyId, signature.slice(0, -1) + last),
      forged(`z${time.slice(1)}`, edb, keyId, signature),
      forged(time, foreign.edb, keyId, signature),
      forged(time, edb, (await foreign.withKey()).keyId, signature),
      forged(time, edb, keyId, 'A'.repeat(43)),
      forged(time, edb, keyId, 'x'.repeat(10_000)),
      url.replace(docUid, '01234567-89ab-7def-8123-456789abcdef'),
      url.replace(docUid, 'none'),
      url.replace('/outbound/', '/inbound/'),
      `${address}?link=${other.url.split('?link=')[1]}`,
    ];
    const pages = new Set<string>();
    for (const one of wrong) pages.add(assertUnusable(await open(one)));
    assert.equal((await open(url)).status, 200);
    clock.advance(8 * DAY_MS);
    pages.add(assertUnusable(await open(url)));
    assert.equal(pages.size, 1);
  });

  test('holds as long as was asked for, a month at most, and no longer than its key', async () => {
    const docUid = await client.submitted();
    const hour = await linkOf(docUid, '?lifetimeHours=1');
    clock.advance(HOUR_MS - 2_000);
    assert.equal((await open(hour.url)).status, 200);
    assertUnusable(await open(hour.url));
    assert.equal(Date.parse((await linkOf(docUid, '?lifetimeHours=720')).expiresAt), clock.now() + 30 * DAY_MS);
    for (const wrong of ['0', '721', '-1', 'x', '1.5']) {
      const path = `${service.url}${EXTENSIONS_ROOT}/outbound/${docUid}/view-link?lifetimeHours=${wrong}`;
      assertPlainProblem(await request(path, { method: 'POST', headers: as(client.secret) }), 400);
    }
    const ending = await tenant.withKey({ expiresAt: clock.now() + 2 * HOUR_MS });
    const link = await linkOf(docUid, '', ending);
    assert.equal(Date.parse(link.expiresAt), clock.now() + 2 * HOUR_MS);
  });

  test('ends with the key that made it, and not with another one', async () => {
    const docUid = await client.submitted();
    const [made, kept] = [await tenant.withKey(), await tenant.withKey()];
    const [ended, open1] = [await linkOf(docUid, '', made), await linkOf(docUid, '', kept)];
    assert.equal((await open(ended.url)).status, 200);
    await service.operator.keys.revoke(made.keyId);
    assertUnusable(await open(ended.url));
    assert.equal((await open(open1.url)).status, 200);
    await service.operator.keys.renew(kept.keyId, 1_000);
    clock.advance(1_000);
    assertUnusable(await open(open1.url));
  });

  test('can be opened from elsewhere than its key may be used from', async () => {
    const docUid = await client.submitted();
    const bound = await tenant.withKey();
    const { url } = await linkOf(docUid, '', bound);
    await service.operator.keys.allow(bound.keyId, ['192.0.2.7']);
    assert.equal((await open(url)).status, 200);
  });

  test('is made for documents of the tenant alone', async () => {
    const docUid = await client.submitted();
    const stranger = await (await newTenant(service)).withKey();
    for (const [key, path] of [
      [stranger.secret, `outbound/${docUid}`],
      [client.secret, `inbound/${docUid}`],
      [client.secret, 'outbound/none'],
    ]) {
      const init = { method: 'POST', headers: as(String(key)) };
      assertProblem(await request(`${service.url}${EXTENSIONS_ROOT}/${path}/view-link`, init), 'ERR-3001');
    }
  });

  test('is in the audit trail when it is made and each time it is opened, without its secret', async () => {
    const docUid = await client.submitted();
    const { url } = await linkOf(docUid);
    await open(url);
    await open(`${url}x`);
    const path = `/view/outbound/${docUid}`;
    const filter = { tenant: null, keyId: null, docUid, since: null, until: null, limit: 100 };
    const entries = () => service.operator.readAudit(filter);
    await until('the entries', async () => (await entries()).filter((one) => one.path === path).length === 2);
    const found = await entries();
    const opened = found.filter((one) => one.path === path);
    assert.deepEqual(
      opened.map((one) => [one.tenant, one.keyId, one.httpStatus, one.code]).toSorted(),
      [
        [tenant.edb, null, 200, null],
        [null, null, 404, 'ERR-3001'],
      ].toSorted(),
    );
    const made = found.find((one) => one.path.endsWith('/view-link'));
    assert.deepEqual([made?.tenant, made?.keyId, made?.httpStatus], [tenant.edb, client.keyId, 200]);
    assert.ok(!JSON.stringify(found).includes(url.split('.').at(-1) ?? ''));
  });

  test('is opened sixty times a minute from one address at most', async () => {
    clock.advance(60_000);
    const { url } = await linkOf(await client.submitted());
    for (let count = 0; count < 60; count += 1) await request(`${url}x`);
    const refused = await request(url);
    assert.equal(refused.status, 429);
    assert.match(refused.text, /ERR-1006/u);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    clock.advance(2_000);
    assert.equal((await request(url)).status, 200);
  });

  test('other methods are refused', async () => {
    const { url } = await linkOf(await client.submitted());
    assertPlainProblem(await request(url, { method: 'POST' }), 405);
    assert.equal((await request(url, { method: 'HEAD' })).status, 200);
  });

  test('holds in every process with the same sealing key, and while a former one is still known', async () => {
    const { url } = await linkOf(await client.submitted());
    const { database } = service;
    for (const [sealing, status] of [
      [KEYS[0], 200],
      [`${KEYS[1]},${KEYS[0]}`, 200],
      [KEYS[1], 404],
    ] as const) {
      const another = await startTestService({ clock, database, variables: { CREDENTIALS_KEY: sealing } });
      assert.equal((await request(url.replace(service.url, another.url))).status, status);
      // Before a former key is given up, what it sealed is sealed anew: no process starts without.
      await another.operator.resealCredentials(() => undefined);
      await another.stop();
    }
  });
});
