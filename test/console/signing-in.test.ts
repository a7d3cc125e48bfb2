import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, beforeEach, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { startTestService, type TestService } from '../support/service.ts';
import { runningClock } from '../support/test-clock.ts';
import { addOperator, PASSWORD, throughProxy, visitor } from './console-visitor.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

suite('the console', () => {
  const clock = runningClock();
  let service: TestService;

  before(async () => {
    service = await startTestService({ clock, variables: { TRUST_PROXY: '127.0.0.1' } });
    await addOperator(service.foundation.storage, 'vera', 'operator');
    await addOperator(service.foundation.storage, 'petar', 'viewer');
  });
  after(() => service.stop());
  // What one test tried is not counted against the next.
  beforeEach(() => clock.advance(2 * MINUTE_MS));

  const arrive = () => visitor(service.opsUrl);
  const entries = async () =>
    service.foundation.storage.audit.read({
      ...{ tenant: null, keyId: null, docUid: null, since: null, until: null },
      limit: 10,
    });

  test('shows nothing but the page to sign in to whoever has not', async () => {
    const stranger = arrive();
    for (const path of ['', '/keys', '/keys/any/revoke', '/nothing']) {
      const { status, headers, text } = await stranger.get(path);
      assert.equal(status, 303, path);
      assert.match(headers.get('location') ?? '', /^\/console\/sign-in\?next=/u);
      assert.equal(text, '');
    }
    const post = await stranger.post('/keys/any/revoke', {});
    assert.deepEqual([post.status, post.headers.get('location')], [303, '/console/sign-in']);
    assert.match((await stranger.get('/sign-in')).text, /<input id="password"/u);
  });

  test('lets in with the password, by a cookie that no script and no other site can use', async () => {
    const vera = arrive();
    const { status, headers } = await vera.post('/sign-in', {
      name: 'vera',
      password: PASSWORD,
      next: '/console/keys',
    });
    assert.deepEqual([status, headers.get('location')], [303, '/console/keys']);
    const [cookie = ''] = headers.getSetCookie();
    assert.match(cookie, /^dostava-console-\d+=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict$/u);
    assert.match((await vera.get('/keys')).text, /vera <span class="quiet">\(operator\)<\/span>/u);
    const [entry] = await entries();
    assert.deepEqual(
      [entry?.method, entry?.path, entry?.operator, entry?.address],
      ['CONSOLE', 'sign-in console', 'vera', '127.0.0.1'],
    );
    const stored = JSON.stringify(await service.foundation.engine.all('select * from operator_session', []));
    assert.ok(!stored.includes([...vera.cookies.values()][0] ?? '?'), 'the token is in the database');
  });

  test('knows who is signed in although others on the same name have set many cookies', async () => {
    const vera = arrive();
    await vera.signIn('vera');
    const [[name, token] = ['', '']] = vera.cookies;
    const cookie = `other=${'x'.repeat(3_900)}; another=${'y'.repeat(3_900)}; ${name}=${token}`;
    assert.equal((await arrive().get('/keys', { cookie })).status, 200);
    // Any service on the machine can set one of the same name for a longer path, which browsers send first.
    for (const before of ['nonsense', 'f'.repeat(64)]) {
      const shadowed = `${name}=${before}; ${name}=${token}`;
      assert.equal((await arrive().get('/keys', { cookie: shadowed })).status, 200, before);
    }
  });

  test('takes a second sign-in of a browser, whose two tabs have both led to that page', async () => {
    const browser = arrive();
    await browser.signIn('vera');
    const [[, token] = []] = browser.cookies;
    const again = (name: string) =>
      browser.post('/sign-in', { name, password: PASSWORD, next: '/console/keys', token: '' });
    const same = await again('vera');
    assert.deepEqual([same.status, same.headers.get('location')], [303, '/console/keys']);
    assert.deepEqual([...browser.cookies.values()], [token], 'forms of the first tab can still be sent');
    assert.equal((await again('petar')).status, 303);
    const { text } = await browser.get('/keys');
    assert.match(text, /petar/u);
    assert.equal((await browser.post('/sign-out', { token: '' })).status, 403);
  });

  test('refuses a wrong password as it refuses an unknown name, and keeps no name that nobody has', async () => {
    const answers: string[] = [];
    for (const name of ['vera', 'nobody-7']) {
      const { status, text } = await arrive().post('/sign-in', { name, password: `${PASSWORD}!` });
      assert.equal(status, 403);
      answers.push(text.replace(name, ''));
    }
    assert.equal(answers[0], answers[1]);
    const [unknown, known] = await entries();
    assert.deepEqual([unknown?.operator, known?.operator], ['unknown', 'vera']);
    assert.equal(known?.path, 'sign-in refused console');
  });

  test('limits attempts for one name, from wherever they come, and takes the right password afterwards', async () => {
    let at = clock.now();
    const guess = (from: string, password = 'guessed-password') => {
      // However long the machine takes: attempts are counted by the minute.
      clock.set(at);
      return arrive().post('/sign-in', { name: 'petar', password }, throughProxy(service.opsUrl, from));
    };
    const statuses: number[] = [];
    for (let count = 0; count < 8; count += 1) statuses.push((await guess(`198.51.100.${count}`)).status);
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 403, 429, 429]);
    const limited = await guess('198.51.100.9', PASSWORD);
    assert.equal(limited.status, 429);
    assert.ok(Number(limited.headers.get('retry-after')) >= 1);
    assert.equal((await arrive().signIn('vera')).status, 303, 'another name');
    const here: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      clock.set(at);
      here.push((await arrive().signIn('petar')).status);
    }
    assert.deepEqual(here, [303, 303, 303, 303, 303, 303, 429], 'at the machine itself');
    const { 'x-forwarded-for': _from, ...nameless } = throughProxy(service.opsUrl, '');
    for (let count = 0; count < 20; count += 1) await arrive().post('/sign-in', { name: 'No Name' }, nameless);
    assert.equal((await arrive().signIn('vera')).status, 303, 'although a proxy there names nobody');
    at += MINUTE_MS;
    assert.equal((await guess('198.51.100.9', PASSWORD)).status, 303);
  });

  test('ends a session with signing out, after an hour without use and after twelve hours', async () => {
    const isIn = async (one: ReturnType<typeof arrive>) => (await one.get('/keys')).status === 200;
    const leaving = arrive();
    await leaving.signIn('vera');
    const kept = new Map(leaving.cookies);
    assert.equal((await leaving.post('/sign-out', {})).status, 303);
    assert.equal(leaving.cookies.size, 0);
    for (const [name, value] of kept) leaving.cookies.set(name, value);
    assert.equal(await isIn(leaving), false);

    const [idle, busy] = [arrive(), arrive()];
    await idle.signIn('vera');
    await busy.signIn('vera');
    for (let hours = 0; hours < 14; hours += 1) {
      clock.advance(HOUR_MS * 0.9);
      assert.equal(await isIn(busy), hours < 13, `${hours}`);
    }
    assert.equal(await isIn(idle), false);
  });

  test('ends a session that nobody uses although a page of it is open and brings itself up to date', async () => {
    const refresh = await openPage();
    assert.deepEqual(refresh.reloads, []);
    const vera = arrive();
    await vera.signIn('vera');
    for (const expected of [200, 200, 303]) {
      clock.advance(HOUR_MS * 0.4);
      assert.equal((await vera.get('', refresh.headers)).status, expected);
    }
    const left = await openPage({ type: 'opaqueredirect', ok: false });
    assert.deepEqual(left.reloads, ['the page'], 'what it showed stays on the screen');
  });

  /** What the script of a live page does when its time has come, with an answer of the console. */
  async function openPage(answer = { type: 'basic', ok: false }) {
    const [, script] =
      /src="\/console(\/assets\/console\.[^"]+\.js)"/u.exec((await arrive().get('/sign-in')).text) ?? [];
    const page = { headers: {} as Record<string, string>, reloads: [] as string[] };
    let tick = (): void => assert.fail('The script waits for nothing.');
    runInNewContext((await arrive().get(script ?? '')).text, {
      document: {
        body: { getAttribute: () => '5' },
        querySelector: () => null,
        getSelection: () => null,
        hidden: false,
      },
      location: { href: `${service.opsUrl}/console`, reload: () => page.reloads.push('the page') },
      setInterval(callback: () => void) {
        tick = callback;
      },
      async fetch(_address: string, { headers, redirect }: { headers: Record<string, string>; redirect: string }) {
        // One that is followed would show the page to sign in as if it were figures.
        assert.equal(redirect, 'manual');
        page.headers = headers;
        return answer;
      },
    });
    tick();
    await setImmediate();
    return page;
  }

  test('ends the sessions of an account whose password was changed or that was removed', async () => {
    const { storage } = service.foundation;
    await addOperator(storage, 'goce', 'viewer');
    const goce = arrive();
    await goce.signIn('goce');
    await service.operator.operators.setPassword('goce', 'another long password');
    assert.equal((await goce.get('/keys')).status, 303);
    assert.equal((await goce.signIn('goce')).status, 403);
    assert.equal((await goce.signIn('goce', 'another long password')).status, 303);
    await service.operator.operators.remove('goce');
    assert.equal((await goce.get('/keys')).status, 303);
  });

  test('does nothing for a form without its token, from another origin, or of another kind', async () => {
    const vera = arrive();
    await vera.signIn('vera');
    const [key] = await service.operator.keys.list(null);
    const path = `/keys/${key?.keyId}/revoke`;
    const origin = service.opsUrl;
    const forged = [
      await vera.post(path, { token: '' }),
      await vera.post(path, { token: 'f'.repeat(64) }),
      await vera.post(path, {}, { origin: 'https://attacker.example' }),
      await vera.post(path, {}, { origin: 'null' }),
      await vera.post(path, {}, { origin, 'sec-fetch-site': 'cross-site' }),
      await vera.post(path, {}, { origin, 'content-type': 'text/plain' }),
      await vera.post(path, { more: 'x'.repeat(20_000) }),
      await vera.post(path, {}, { origin: origin.replace('127.0.0.1', 'localhost') }),
    ];
    assert.deepEqual(
      forged.map(({ status }) => status),
      forged.map(() => 403),
    );
    const [after] = await service.operator.keys.list(null);
    assert.equal(after?.revokedAt, null);
    const signIn = await arrive().post(
      '/sign-in',
      { name: 'vera', password: PASSWORD },
      { origin: 'https://attacker.example' },
    );
    assert.deepEqual([signIn.status, signIn.headers.getSetCookie()], [403, []]);
  });

  test('lets a viewer read and an operator act, each action on record', async () => {
    const issued = await service.operator.keys.issue({ tenant: (await tenant()).edb, software: 'to be revoked' });
    const path = `/keys/${issued.key.keyId}/revoke`;
    const petar = arrive();
    await petar.signIn('petar');
    assert.ok(!(await petar.get('/keys')).text.includes('/revoke"'));
    assert.deepEqual([(await petar.get(path)).status, (await petar.post(path, {})).status], [403, 403]);
    const vera = arrive();
    await vera.signIn('vera');
    assert.match((await vera.get(path)).text, new RegExp(issued.key.keyId, 'u'));
    assert.equal((await vera.post(path, {})).status, 303);
    const [entry] = await entries();
    assert.deepEqual(
      [entry?.path, entry?.operator, entry?.method],
      [`key revoke ${issued.key.keyId}`, 'vera', 'CONSOLE'],
    );
    assert.match((await vera.get('/keys')).text, /revoked/u);
  });

  const tenant = async () => {
    const [first] = await service.operator.tenants.list();
    assert.ok(first !== undefined);
    return first;
  };

  test('has a strict policy on every answer, and keeps none of them', async () => {
    const vera = arrive();
    await vera.signIn('vera');
    for (const path of ['/keys', '/sign-in', '/nothing', '/keys/unknown/revoke']) {
      const { headers } = await vera.get(path);
      const policy = headers.get('content-security-policy') ?? '';
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'self'"]) {
        assert.ok(policy.includes(part), `${path}: ${part}`);
      }
      assert.ok(!policy.includes('unsafe'));
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
  });

  test('never leads elsewhere after signing in', async () => {
    for (const next of [
      '/console/%2e%2e/metrics',
      '/console/keys/.%2E/%2e%2e/',
      'https://attacker.example',
      '//attacker.example',
      '/console/../x',
      '/console\\@x',
      '/metrics',
    ]) {
      const { headers } = await arrive().post('/sign-in', { name: 'vera', password: PASSWORD, next });
      assert.equal(headers.get('location'), '/console', next);
      clock.advance(MINUTE_MS);
    }
  });

  test('is served by names of this machine, or over TLS by a trusted proxy, with a cookie for TLS alone', async () => {
    const port = new URL(service.opsUrl).port;
    assert.equal((await raw({ host: `localhost:${port}` })).status, 200);
    assert.equal((await raw({ host: `attacker.example:${port}` })).status, 403);
    assert.equal((await raw({ host: 'console.example' })).status, 403);
    assert.equal((await raw({ host: 'console.example', 'x-forwarded-proto': 'http' })).status, 403);
    // A proxy without TLS on this machine, which calls it as proxies do unless told otherwise.
    for (const told of [{ 'x-forwarded-for': '203.0.113.9' }, { via: '1.1 proxy' }, { 'x-forwarded-proto': 'http' }]) {
      assert.equal((await raw({ host: `127.0.0.1:${port}`, ...told })).status, 403, JSON.stringify(told));
    }
    const behind = { host: 'console.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' };
    assert.equal((await raw(behind)).status, 200);
    const body = new URLSearchParams({ name: 'vera', password: PASSWORD }).toString();
    const form = { ...behind, origin: 'https://console.example', 'content-type': 'application/x-www-form-urlencoded' };
    const signed = await raw(form, body);
    assert.equal(signed.status, 303);
    assert.match(signed.cookie, /^__Host-dostava-console=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict; Secure$/u);
    assert.equal((await entries())[0]?.address, '203.0.113.9');
  });

  /** `fetch` chooses the Host header itself. */
  function raw(headers: Readonly<Record<string, string>>, body: string | null = null) {
    return new Promise<{ readonly status: number; readonly cookie: string }>((resolve, reject) => {
      const method = body === null ? 'GET' : 'POST';
      const call = request(`${service.opsUrl}/console/sign-in`, { method, headers }, (response) => {
        response.resume();
        const [cookie = ''] = response.headers['set-cookie'] ?? [];
        response.once('end', () => resolve({ status: response.statusCode ?? 0, cookie }));
      });
      call.once('error', reject);
      call.end(body ?? undefined);
    });
  }
});
