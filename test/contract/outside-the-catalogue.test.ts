import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, suite, test } from 'node:test';
import { openConnection, requestHead, sendBytes } from '../support/http-client.ts';
import { as, startTestService } from '../support/service.ts';
import { request } from './support/client.ts';
import { assertPlainProblem, readProblem } from './support/problem.ts';

const ROOT = '/api/integration/v1';
const HEADERS = as('demo-alfa');
/** CONNECT has no path, and the answer to HEAD no body; both have tests of their own. */
const OTHER_METHODS = METHODS.filter((method) => !['CONNECT', 'HEAD'].includes(method));

const service = await startTestService({ variables: { ERRORS_URL: 'https://docs.example/codes/' } });
after(() => service.stop());

const ping = (headers: Readonly<Record<string, string>> = {}, target = `${ROOT}/ping`) =>
  requestHead('GET', target, { ...HEADERS, ...headers });

/** Errors that would have ended the process of the service, were it not the process of the tests. */
const fatal: Error[] = [];
process.on('uncaughtExceptionMonitor', (error) => fatal.push(error));

async function assertAlive(): Promise<void> {
  for (let count = 0; count < 3; count += 1) {
    assert.equal((await request(`${service.api}/ping`, { headers: HEADERS })).status, 200);
  }
  assert.deepEqual(fatal.splice(0), []);
}

suite('errors outside the catalogue: addresses and methods', () => {
  test('they are about:blank wherever the catalogue is; those of the catalogue lead to ERRORS_URL', async () => {
    assertPlainProblem(await request(`${service.api}/nothing`), 404);
    assert.equal(readProblem(await request(`${service.api}/ping`)).type, 'https://docs.example/codes/ERR-1001');
  });

  for (const path of [`${ROOT}/nothing`, `${ROOT}`, `${ROOT}/outbound/x/y`, '/', '/api', '/%20', `//${ROOT}/ping`]) {
    test(`an unknown path is 404: ${path}`, async () => {
      assertPlainProblem(await request(`${service.url}${path}`, { headers: HEADERS }), 404);
    });
  }

  const ALLOWED: Readonly<Record<string, string>> = {
    [`${ROOT}/ping`]: 'GET, HEAD',
    [`${ROOT}/codelists/currencies`]: 'GET, HEAD',
    [`${ROOT}/outbound`]: 'GET, HEAD, POST',
    [`${ROOT}/outbound/x`]: 'GET, HEAD',
    [`${ROOT}/outbound/x/history`]: 'GET, HEAD',
    [`${ROOT}/outbound/x/file`]: 'GET, HEAD',
    [`${ROOT}/outbound/x/cancel`]: 'POST',
    [`${ROOT}/inbound`]: 'GET, HEAD',
    [`${ROOT}/inbound/x`]: 'GET, HEAD',
    [`${ROOT}/inbound/x/file`]: 'GET, HEAD',
    [`${ROOT}/inbound/x/ack`]: 'POST',
    [`${ROOT}/openapi.json`]: 'GET, HEAD',
    '/errors': 'GET, HEAD',
    '/errors/ERR-1001': 'GET, HEAD',
  };
  for (const [path, allow] of Object.entries(ALLOWED)) {
    test(`a wrong method is 405 with Allow: ${allow} at ${path}`, async () => {
      for (const method of OTHER_METHODS) {
        if (allow.split(', ').includes(method)) continue;
        const answer = await sendBytes(service.url, requestHead(method, path, { ...HEADERS, 'Content-Length': '0' }));
        assertPlainProblem(answer, 405);
        assert.equal(answer.headers.get('allow'), allow, method);
      }
    });
  }

  test('a method that nobody uses here is 405 also with a body, and without a content type', async () => {
    for (const method of ['PROPFIND', 'QUERY', 'LOCK', 'PURGE', 'M-SEARCH', 'TRACE']) {
      const body = method === 'TRACE' ? '' : '<a/>';
      const head = requestHead(method, `${ROOT}/outbound`, { ...HEADERS, 'Content-Length': String(body.length) });
      const answer = await sendBytes(service.url, head, body);
      assertPlainProblem(answer, 405);
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST', method);
    }
  });

  test('a method that nobody uses here is 404 where there is nothing', async () => {
    for (const method of ['PROPFIND', 'QUERY', 'PUT']) {
      assertPlainProblem(await sendBytes(service.url, requestHead(method, `${ROOT}/nothing`, HEADERS)), 404);
    }
  });

  for (const path of ['/%', '/errors/%E0%A4', '/%zz/outbound']) {
    test(`an address outside the interface that cannot be decoded is 404: ${path}`, async () => {
      assertPlainProblem(await sendBytes(service.url, ping({}, path)), 404);
    });
  }
});

suite('errors outside the catalogue: addresses that name a host, as for a proxy', () => {
  const HOSTS = ['http://dostava.example', 'HTTPS://127.0.0.1:8080', 'http://user:secret@[::1]:8080'];
  for (const host of HOSTS) {
    test(`the host is not looked at: ${host}`, async () => {
      assert.equal((await sendBytes(service.url, ping({}, `${host}${ROOT}/ping/`))).status, 200);
      assert.equal(readProblem(await sendBytes(service.url, ping({}, `${host}${ROOT}/outbound/%ff`))).code, 'ERR-3001');
      assertPlainProblem(await sendBytes(service.url, ping({}, `${host}${ROOT}/outbound?page=0`)), 400);
      for (const rest of ['', '?page=1']) {
        assertPlainProblem(await sendBytes(service.url, ping({}, `${host}${rest}`)), 404);
      }
    });
  }

  const UNREADABLE = [
    'http://',
    'HTTPS://',
    `http://${ROOT}/ping`,
    `https://?a=b`,
    'http://a:b',
    'http://a/b#c',
    'http://%',
  ];
  for (const url of UNREADABLE) {
    test(`one that cannot be read is 400, in its turn: ${url}`, async () => {
      const connection = await openConnection(service.url);
      await connection.send(ping() + ping({}, url) + ping());
      assert.equal((await connection.response())?.status, 200);
      const answer = await connection.response();
      assert.equal((await connection.response())?.status, 200);
      connection.abort();
      assert.ok(answer !== null);
      assertPlainProblem(answer, 400);
    });
  }
});

suite('errors outside the catalogue: what never becomes a request', () => {
  const NO_HTTP: Readonly<Record<string, string>> = {
    'a word': 'hello\r\n\r\n',
    'the beginning of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'an unknown method': `BREW ${ROOT}/ping HTTP/1.1\r\nHost: a\r\n\r\n`,
    'an unknown version': `GET ${ROOT}/ping HTTP/9.9\r\nHost: a\r\n\r\n`,
    'HTTP/2 without asking': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a target without a slash': ping({}, 'ping'),
    'a header without a colon': `GET ${ROOT}/ping HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n`,
    'a blank before the colon of a header': `GET ${ROOT}/ping HTTP/1.1\r\nHost: a\r\nX-Api-Key : demo-alfa\r\n\r\n`,
    'a folded header': `GET ${ROOT}/ping HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n`,
  };
  for (const [name, bytes] of Object.entries(NO_HTTP)) {
    test(`bytes that are no HTTP request are 400: ${name}`, async () => {
      assertPlainProblem(await sendBytes(service.url, bytes), 400);
    });
  }

  const post = (headers: Readonly<Record<string, string>>) =>
    requestHead('POST', `${ROOT}/outbound`, { ...HEADERS, 'X-Idempotency-Key': 'k', ...headers });
  const CHUNKED = post({ 'Transfer-Encoding': 'chunked' });
  const CAUSES: readonly (readonly [string, string, RegExp])[] = [
    ['a blank in the address', ping({}, `${ROOT}/outbound?partnerEdb=a b`), /for example %20 for a blank/u],
    ['a method in small letters', ping().toLowerCase(), /known method, such as GET or POST, in capital letters/u],
    ['a line break at the end of a header', ping({ 'X-Software-Id': 'ledger\n' }), /header .* no line breaks/u],
    ['a header without a colon', `GET ${ROOT}/ping HTTP/1.1\r\nnonsense\r\n\r\n`, /header of the request/u],
    ['Content-Length twice', post({ 'Content-Length': '5\r\nContent-Length: 5' }), /one Content-Length/u],
    ['a length of the body that is no number', post({ 'Content-Length': 'five' }), /one Content-Length/u],
    ['an unknown transfer encoding', post({ 'Transfer-Encoding': 'gzip' }), /or by Transfer-Encoding: chunked/u],
    ['lines that end with LF alone', ping().replaceAll('\r\n', '\n'), /HTTP\/1\.1 .* a line break of CR LF/u],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /HTTP\/2 is not understood/u],
    ['a blank before the first header', ping().replace('Host', ' Host'), /header of the request/u],
    ['a chunk without a size', `${CHUNKED}hello\r\n`, /chunk .* its length in bytes/u],
    ['a chunk whose length counts letters, not bytes', `${CHUNKED}7\r\nЌе биде\r\n`, /chunk .* its length in bytes/u],
    ['a chunk whose lines end with LF alone', `${CHUNKED}5\nhello\n0\n\n`, /chunk .* line break of CR LF/u],
    ['a chunk with endless extensions', `${CHUNKED}5;a=${'b'.repeat(20_000)}\r\n`, /chunk .* its length in bytes/u],
  ];
  for (const [name, bytes, cause] of CAUSES) {
    test(`what is no HTTP is told its cause: ${name}`, async () => {
      assert.match(assertPlainProblem(await sendBytes(service.url, bytes), 400), cause);
    });
  }

  test('a body longer than its Content-Length is named as the cause of what cannot be read behind it', async () => {
    const connection = await openConnection(service.url);
    await connection.send(`${ping({ 'Content-Length': '2' })}Ќе биде`);
    assert.equal((await connection.response())?.status, 200);
    const answer = await connection.response();
    connection.abort();
    assert.ok(answer !== null);
    assert.match(assertPlainProblem(answer, 400), /Content-Length .* smaller than its body/u);
  });

  test('a request whose client stops sending before its end is told that it is not complete', async () => {
    for (const part of [ping().slice(0, -9), `${post({ 'Content-Length': '9' })}hello`]) {
      const connection = await openConnection(service.url);
      await connection.send(part);
      connection.finish();
      const answer = await connection.response();
      connection.abort();
      assert.ok(answer !== null);
      assert.match(assertPlainProblem(answer, 400), /ended before it was complete/u);
    }
  });

  test('an address with letters that are not encoded is 400, and the answer says what to do', async () => {
    for (const path of [`${ROOT}/outbound?partnerEdb=МК4080026000023`, `${ROOT}/inbound/č`]) {
      const answer = await sendBytes(service.url, Buffer.from(ping({}, path), 'utf8'));
      assert.match(assertPlainProblem(answer, 400), /percent-encoded in it, for example .* %D0%9C /u);
    }
  });

  test('a request without Host is 400, and so is one with two', async () => {
    const head = `GET ${ROOT}/ping HTTP/1.1\r\nX-Api-Key: demo-alfa\r\nX-Software-Id: test\r\n`;
    assertPlainProblem(await sendBytes(service.url, `${head}\r\n`), 400);
    assertPlainProblem(await sendBytes(service.url, `${head}Host: a\r\nHost: b\r\n\r\n`), 400);
  });

  test('HTTP/1.0 needs no Host', async () => {
    const head = `GET ${ROOT}/ping HTTP/1.0\r\nX-Api-Key: demo-alfa\r\nX-Software-Id: test\r\n\r\n`;
    assert.equal((await sendBytes(service.url, head)).status, 200);
  });

  test('HTTP/1.0 has no 100 Continue: the first answer is the one to the document', async () => {
    const head = requestHead('POST', `${ROOT}/outbound`, {
      ...HEADERS,
      'X-Idempotency-Key': 'k',
      'Content-Length': '2',
      Expect: '100-continue',
    });
    const answer = await sendBytes(service.url, head.replace('HTTP/1.1', 'HTTP/1.0'), '<a');
    assert.equal(answer.status, 400, answer.text);
  });

  test('headers larger than the service accepts are 431, in one header, in many and in the address', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`X-${index}`, 'value']));
    const heads = [ping({ 'X-Large': 'a'.repeat(20_000) }), ping(many), ping({}, `${ROOT}/ping?${'a'.repeat(20_000)}`)];
    for (const head of heads) assertPlainProblem(await sendBytes(service.url, head), 431);
  });

  test('an answer to what is no request has a Date, as every other answer', async () => {
    // Node goes by the one of the machine.
    const bothClocks = () => [Date.now(), service.foundation.clock.now()];
    for (const bytes of ['nonsense\r\n\r\n', ping({ 'X-Large': 'a'.repeat(20_000) }), ping()]) {
      const before = bothClocks();
      const date = (await sendBytes(service.url, bytes)).headers.get('date') ?? '';
      const times = [...before, ...bothClocks()];
      assert.match(date, /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/u);
      // In whole seconds. Node keeps the header of usual answers for up to a second.
      assert.ok(Date.parse(date) > Math.min(...times) - 2_000 && Date.parse(date) <= Math.max(...times), date);
    }
  });

  test('an expectation other than 100-continue is 417', async () => {
    assertPlainProblem(await sendBytes(service.url, ping({ Expect: 'coffee' })), 417);
  });

  test('CONNECT is refused', async () => {
    assertPlainProblem(await sendBytes(service.url, requestHead('CONNECT', 'example.org:443', {})), 405);
    await assertAlive();
  });

  test('an upgrade that nobody offers is ignored', async () => {
    const answer = await sendBytes(service.url, ping({ Connection: 'Upgrade', Upgrade: 'websocket' }));
    assert.equal(answer.status, 200);
  });

  test('HEAD of an error has its status and no body', async () => {
    const connection = await openConnection(service.url);
    await connection.send(requestHead('HEAD', `${ROOT}/outbound/x`, HEADERS) + ping());
    assert.equal((await connection.response({ toHead: true }))?.status, 404);
    assert.equal((await connection.response())?.status, 200);
    connection.abort();
  });
});

suite('errors outside the catalogue: the connection', () => {
  test('requests one after the other on one connection are answered in their order', async () => {
    const connection = await openConnection(service.url);
    await connection.send(ping() + ping({ 'X-Api-Key': '' }) + ping({}, '/nothing') + ping());
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await connection.response())?.status);
    assert.deepEqual(statuses, [200, 401, 404, 200]);
    connection.abort();
  });

  test('after bytes that are no HTTP the connection is closed cleanly', async () => {
    const connection = await openConnection(service.url);
    await connection.send('nonsense\r\n\r\n');
    assert.equal((await connection.response())?.headers.get('connection'), 'close');
    assert.equal(await connection.response(), null);
  });

  const HALF = requestHead('POST', `${ROOT}/outbound`, { ...HEADERS, 'X-Idempotency-Key': 'h', 'Content-Length': '9' });
  const BREAKS: Readonly<Record<string, string>> = {
    'before a byte was sent': '',
    'within the headers': ping().slice(0, 40),
    'within the body': `${HALF}<In`,
    'after nonsense': 'nonsense\r\n\r\n',
    'after CONNECT': requestHead('CONNECT', 'example.org:443', {}),
    'after an expectation': `${HALF.slice(0, -2)}Expect: 100-continue\r\n\r\n`,
    'after an unknown expectation': ping({ Expect: 'coffee' }),
    'after an upgrade': ping({ Connection: 'Upgrade', Upgrade: 'websocket' }),
  };
  for (const [name, bytes] of Object.entries(BREAKS)) {
    test(`the service outlives a connection that breaks ${name}`, async () => {
      for (let count = 0; count < 10; count += 1) {
        const connection = await openConnection(service.url);
        await connection.send(bytes);
        connection.abort();
      }
      await assertAlive();
    });
  }

  test('the service outlives a connection that breaks after the answer to CONNECT', async () => {
    const connection = await openConnection(service.url);
    await connection.send(requestHead('CONNECT', 'example.org:443', {}));
    await connection.response();
    connection.abort();
    await assertAlive();
  });
});
