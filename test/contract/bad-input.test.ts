import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { requestHead, sendBytes } from '../support/http-client.ts';
import { startTestService } from '../support/service.ts';
import { type Answer, json, request } from './support/client.ts';
import { freshInvoice } from './support/documents.ts';
import { OUTBOUND_ITEM, readPage } from './support/fields.ts';
import { assertPlainProblem, assertProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';

const ROOT = '/api/integration/v1';

const service = await startTestService();
after(() => service.stop());
const tenant = await newTenant(service);
await tenant.submitted();

const LISTS = ['/outbound', '/inbound'];

/** A problem outside the catalogue that names the parameter. */
function assertUnreadable(answer: Answer, parameter: string): void {
  assert.match(assertPlainProblem(answer, 400), new RegExp(`\\b${parameter}\\b`, 'u'));
}

suite('bad input: query parameters', () => {
  const BAD: Readonly<Record<string, readonly string[]>> = {
    page: ['0', '-1', 'abc', '1.5', '1e3', '0x10', '99999999999', '2147483648', '%D9%A1', ' 1', 'NaN', 'null', '[1]'],
    pageSize: ['0', '-5', 'abc', '1.5', '1e2', 'Infinity', 'true'],
    dateFrom: [
      '2026-02-30',
      '2026-13-01',
      '2026-00-10',
      '2026-02-29',
      '99999-01-01',
      '+12026-01-01',
      'today',
      '0',
      '1767225600000',
    ],
    dateTo: [
      ...[
        '2026-11-02T24:00:00Z',
        '2026-11-02T23:60:00Z',
        '2026-11-02T08:00Z',
        '2026-11-02T08:00:00+25:00',
        '2026-11-02T',
      ],
      ...['2026-11-02T08:00:00.Z', '02.11.2026', '2026-11-02T08:00:00ZZ', '2026-W45', '%F0%9F%93%85', "2026-11-02'--"],
    ],
  };
  for (const [parameter, values] of Object.entries(BAD)) {
    for (const value of values) {
      test(`${parameter}=${value} is 400 and names the parameter, on both lists`, async () => {
        for (const list of LISTS) {
          const query = `${parameter}=${value.replaceAll('+', '%2B').replaceAll(' ', '%20')}`;
          assertUnreadable(await tenant.get(`${list}?${query}`), parameter);
        }
      });
    }
  }

  for (const value of ['abc', '10.5', '10,x', '99999999999', '10;drop', 'Received']) {
    test(`status=${value} is 400 and names the parameter`, async () => {
      assertUnreadable(await tenant.get(`/outbound?status=${value}`), 'status');
      assertUnreadable(await tenant.get(`/outbound?status=10&status=${value}`), 'status');
    });
  }

  for (const value of ['1', '0', 'yes', 'truee', 'null']) {
    test(`onlyNotImported=${value} is 400 and names the parameter`, async () => {
      assertUnreadable(await tenant.get(`/inbound?onlyNotImported=${value}`), 'onlyNotImported');
    });
  }

  for (const parameter of ['page', 'pageSize', 'dateFrom', 'dateTo']) {
    test(`${parameter} given twice is 400 and names the parameter`, async () => {
      const value = parameter.startsWith('page') ? '1' : '2026-01-01';
      for (const list of LISTS)
        assertUnreadable(await tenant.get(`${list}?${parameter}=${value}&${parameter}=${value}`), parameter);
    });
  }

  test('single-valued filters and format given twice are 400 and name the parameter', async () => {
    const docUid = await tenant.submitted();
    assertUnreadable(await tenant.get('/outbound?partnerEdb=1&partnerEdb=2'), 'partnerEdb');
    assertUnreadable(await tenant.get('/inbound?senderEdb=1&senderEdb=2'), 'senderEdb');
    assertUnreadable(await tenant.get('/inbound?onlyNotImported=true&onlyNotImported=false'), 'onlyNotImported');
    assertUnreadable(await tenant.get(`/outbound/${docUid}/file?format=ubl&format=pdf`), 'format');
  });

  test('a pageSize above 500, however large, is ERR-3005 on both lists', async () => {
    for (const list of LISTS) {
      for (const value of ['501', '2147483648', '99999999999999999999999999']) {
        assertProblem(await tenant.get(`${list}?pageSize=${value}`), 'ERR-3005');
      }
    }
  });

  test('a filter is a value, never a pattern or a statement', async () => {
    for (const value of ['%25', '_', "' or 1=1 --", '*', '\u0000', 'a'.repeat(3_000)]) {
      const { status, text } = await tenant.get(`/outbound?partnerEdb=${encodeURIComponent(value)}`);
      assert.equal(status, 200, text);
      assert.equal(readPage(OUTBOUND_ITEM, JSON.parse(text)).totalCount, 0);
    }
  });

  test('names that mean something to JavaScript are unknown like any other', async () => {
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty', 'page[]', 'page.x', 'toString']) {
      const detail = assertPlainProblem(await tenant.get(`/outbound?${name}=1`), 400);
      assert.match(detail, /^There is no query parameter/u, name);
    }
  });

  test('an unknown name that looks like a known one is shown with what nobody sees in it', async () => {
    const shown = {
      'page%00Size': 'page&#x0;Size',
      '%E2%80%8Bpage': '&#x200B;page',
      'page%C2%ADSize': 'page&#xAD;Size',
    };
    for (const [name, visible] of Object.entries(shown)) {
      const detail = assertPlainProblem(await tenant.get(`/outbound?${name}=1`), 400);
      assert.ok(detail.startsWith(`There is no query parameter “${visible}”.`), detail);
    }
  });

  test('10,000 query parameters are answered: with 431 where they do not fit, else like any other', async () => {
    const many = (count: number) => requestHead('GET', `${ROOT}/outbound?${'a&'.repeat(count)}`, tenant.headers);
    assertPlainProblem(await sendBytes(service.url, many(10_000)), 431);
    assertPlainProblem(await sendBytes(service.url, many(7_000)), 400);
    const states = Array.from({ length: 1_000 }, (_, index) => `status=${index}`).join('&');
    const found = await sendBytes(service.url, requestHead('GET', `${ROOT}/outbound?${states}`, tenant.headers));
    assert.ok(readPage(OUTBOUND_ITEM, json(found)).totalCount > 0);
  });

  test('a value that cannot be decoded is refused, not looked for as it stands: nothing would be found', async () => {
    // МК in windows-1251, a lone percent sign, half a letter, and beside a value that can be read.
    for (const query of [
      'partnerEdb=%CC%CA4080026000023',
      'partnerEdb=100%',
      'PARTNEREDB=%D0',
      'page=1&partnerEdb=%zz',
    ]) {
      const detail = assertPlainProblem(await tenant.get(`/outbound?${query}`), 400);
      assert.match(detail, /^The query parameter partnerEdb must be percent-encoded UTF-8/u, query);
    }
    // A query begins at this sign as well.
    const after = requestHead('GET', `${ROOT}/outbound#partnerEdb=%CC%CA4080026000023`, tenant.headers);
    assert.match(assertPlainProblem(await sendBytes(service.url, after), 400), /^The query parameter partnerEdb must/u);
    const extensions = requestHead('GET', '/api/extensions/v1/outbound?documentNumber=%CC%CA-1', tenant.headers);
    const inquired = assertPlainProblem(await sendBytes(service.url, extensions), 400);
    assert.match(inquired, /^The query parameter documentNumber must be percent-encoded UTF-8/u);
    assert.match(assertPlainProblem(await tenant.get('/outbound?partnerEdb=%zz&%ff=1'), 400), /“%ff”/u);
  });
});

suite('bad input: query parameters that a call does not know', () => {
  const GET = ['/ping', '/codelists/currencies', '/outbound/x', '/outbound/x/history', '/inbound/x'];
  const POST = ['/outbound', '/outbound/x/cancel', '/inbound/x/ack'];
  const KNOWN: Readonly<Record<string, string>> = {
    '/outbound': 'Known are: dateFrom, dateTo, status, partnerEdb, page, pageSize.',
    '/inbound': 'Known are: dateFrom, dateTo, senderEdb, onlyNotImported, page, pageSize.',
    '/outbound/x/file': 'Known are: format.',
    '/inbound/x/file': 'Known are: format.',
  };
  const unknown = (name: string, known: string) => `There is no query parameter “${name}”. ${known}`;

  for (const name of ['x', 'tenantId', 'taxpayer_uid']) {
    test(`${name} is 400 on every call, names it and says which there are`, async () => {
      for (const query of [`${name}=1`, `${name}=`, name]) {
        for (const path of GET) {
          const answer = await tenant.get(`${path}?${query}`);
          assert.equal(assertPlainProblem(answer, 400), unknown(name, 'This call has none.'), path);
        }
        for (const path of POST) {
          const answer = await tenant.post(`${path}?${query}`);
          assert.equal(assertPlainProblem(answer, 400), unknown(name, 'This call has none.'), path);
        }
        for (const [path, known] of Object.entries(KNOWN)) {
          assert.equal(assertPlainProblem(await tenant.get(`${path}?${query}`), 400), unknown(name, known), path);
        }
      }
    });
  }

  test('are refused by every call that openapi.json describes', async () => {
    const { paths } = json(await tenant.get('/openapi.json')) as { readonly paths: Record<string, object> };
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method, path.replace('{docUid}', 'x').replace('{type}', 'currencies')]),
    );
    assert.equal(calls.length, 12);
    for (const [method = '', path = ''] of calls) {
      const { headers } = tenant;
      const answer = await request(`${service.url}${path}?x=1`, { method: method.toUpperCase(), headers });
      assert.match(assertPlainProblem(answer, 400), /^There is no query parameter “x”/u, `${method} ${path}`);
    }
  });

  test('nothing is stored, cancelled or acknowledged', async () => {
    const docUid = await tenant.submitted();
    const inbound = (await service.operator.importInbound(tenant.edb, null, Buffer.from('unknown name'))).docUid;
    const count = async () => readPage(OUTBOUND_ITEM, json(await tenant.get('/outbound'))).totalCount;
    const before = await count();
    const headers = { 'X-Idempotency-Key': 'unknown name' };
    assertPlainProblem(await tenant.post('/outbound?tenantId=1', freshInvoice(), headers), 400);
    assertPlainProblem(await tenant.post(`/outbound/${docUid}/cancel?force=1`), 400);
    assertPlainProblem(await tenant.post(`/inbound/${inbound}/ack?x`), 400);
    assert.equal(await count(), before);
    assert.equal((json(await tenant.get(`/outbound/${docUid}`)) as { readonly status: number }).status, 10);
    assert.equal((json(await tenant.get(`/inbound/${inbound}`)) as { readonly ackedAt: unknown }).ackedAt, null);
  });

  test('is found after the key, the software and a tenant in the body, and before the checks of the call', async () => {
    const answer = await request(`${service.api}/ping?x=1`, { headers: { 'X-Software-Id': 'test/1' } });
    assertProblem(answer, 'ERR-1001');
    assertProblem(await tenant.get('/ping?x=1', { 'X-Software-Id': '' }), 'ERR-1008');
    assertProblem(await tenant.get('/codelists/colours?x=1'), 'ERR-2021');
    assertProblem(await tenant.post('/outbound/x/cancel?x=1', '{"tenantId":7}'), 'ERR-1007');
    const closed = await newTenant(service, { outboundEnabled: false });
    assertPlainProblem(await closed.post('/outbound?x=1'), 400);
  });

  test('a query without a name is none', async () => {
    for (const query of ['?', '?&&']) assert.equal((await tenant.get(`/ping${query}`)).status, 200);
  });
});

test('a whole number beyond what is read says so, and names the bound', async () => {
  const BOUNDS = {
    'page=2147483648': 'page must be at most 2147483647',
    'page=99999999999': 'page must be at most 2147483647',
    'page=-99999999999': 'page must be at least 1',
    'status=2147483648': 'status must be at most 2147483647',
    'status=-2147483649': 'status must be at least -2147483648',
  };
  for (const [query, bound] of Object.entries(BOUNDS)) {
    assert.equal(assertPlainProblem(await tenant.get(`/outbound?${query}`), 400), `The query parameter ${bound}.`);
  }
});

suite('bad input: headers', () => {
  for (const sign of ['\u0000', '\u0001', '\u001b', '\u007f', '\n']) {
    test(`a header with the control character ${JSON.stringify(sign)} is 400`, async () => {
      for (const name of ['X-Software-Id', 'X-Api-Key', 'X-Idempotency-Key']) {
        const head = requestHead('GET', `${ROOT}/ping`, { ...tenant.headers, [name]: `te${sign}st` });
        assertPlainProblem(await sendBytes(service.url, head), 400);
      }
    });
  }

  test('two Content-Length headers, and one beside Transfer-Encoding, are 400', async () => {
    const { headers } = tenant;
    const twice = `5\r\nContent-Length: 6`;
    for (const length of [twice, '5\r\nTransfer-Encoding: chunked', 'five', '-5', '5, 5']) {
      const head = requestHead('POST', `${ROOT}/outbound`, {
        ...headers,
        'X-Idempotency-Key': 'x',
        'Content-Length': length,
      });
      assertPlainProblem(await sendBytes(service.url, head, 'hello'), 400);
    }
  });

  test('a header given twice is no way around a check', async () => {
    const head = requestHead('GET', `${ROOT}/ping`, {
      ...tenant.headers,
      'X-Api-Key': 'demo-revoked\r\nX-Api-Key: demo-alfa',
    });
    assertProblem(await sendBytes(service.url, head), 'ERR-1001');
  });

  test('headers in other scripts and encodings are taken as they are', async () => {
    for (const bytes of [Buffer.from('Сметка/1.0'), Buffer.from([0x80, 0xff, 0xfe]), Buffer.from('日本')]) {
      const { 'X-Software-Id': _, ...headers } = tenant.headers;
      const [line, rest] = requestHead('GET', `${ROOT}/ping`, headers).split(/(?<=\r\n)(?=\r\n)/u) as [string, string];
      assert.equal((await sendBytes(service.url, `${line}X-Software-Id: `, bytes, `\r\n${rest}`)).status, 200);
    }
  });
});
