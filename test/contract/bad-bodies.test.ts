import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openConnection, type RawConnection, requestHead, sendBytes } from '../support/http-client.ts';
import { until } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { bytesOf, sampleInvoice } from '../support/ubl-samples.ts';
import { type Answer, json } from './support/client.ts';
import { freshInvoice } from './support/documents.ts';
import { OUTBOUND_ITEM, readPage } from './support/fields.ts';
import { assertPlainProblem, assertProblem } from './support/problem.ts';
import { newTenant, type TestTenant } from './support/tenant.ts';

const ROOT = '/api/integration/v1';
const MIB = 1_048_576;
const ELEVEN_MIB = 11 * MIB;
const BLANKS = Buffer.alloc(ELEVEN_MIB, ' ');

const service = await startTestService();
after(() => service.stop());

/** A document of nine MiB. */
const paddedInvoice = () => new Uint8Array(Buffer.concat([bytesOf(freshInvoice()), BLANKS], 9 * MIB));

const submitHead = ({ headers }: TestTenant, key: string, more: Readonly<Record<string, string>>) =>
  requestHead('POST', `${ROOT}/outbound`, { ...headers, 'X-Idempotency-Key': key, ...more });

/** Nothing was stored, and the key is still free. */
async function assertNothingLost(tenant: TestTenant, key: string): Promise<void> {
  assert.equal(readPage(OUTBOUND_ITEM, json(await tenant.get('/outbound'))).totalCount, 0);
  assert.equal((await tenant.submit(freshInvoice(), key)).status, 201);
}

suite('bad input: bodies that are no document', () => {
  const xml = sampleInvoice();
  const BODIES: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
    'an empty body': new Uint8Array(0),
    blanks: bytesOf(' \r\n\t '),
    'a byte order mark alone': bytesOf('\ufeff'),
    'UTF-8 that is none': new Uint8Array(
      Buffer.concat([Buffer.from(xml.slice(0, 300)), Buffer.from([0xff, 0xc3]), Buffer.from(xml.slice(300))]),
    ),
    'bytes of another encoding than declared': new Uint8Array(Buffer.from(xml, 'latin1')),
    'an encoding nobody knows': bytesOf(xml.replace('UTF-8', 'x-nobody-knows')),
    'UTF-16 that says it is UTF-8': new Uint8Array(Buffer.from(xml, 'utf16le')),
    'a compressed document': new Uint8Array(gzipSync(xml)),
    'zero bytes': new Uint8Array(5_000),
    'a document cut short': bytesOf(xml.slice(0, -200)),
    'a document with a zero byte in it': bytesOf(xml.replace('<cbc:ID>', '<cbc:ID>\u0000')),
    'a form': bytesOf('document=%3CInvoice%2F%3E'),
    'a million opening tags': bytesOf('<a>'.repeat(1_000_000)),
  };
  for (const [name, body] of Object.entries(BODIES)) {
    test(`${name}: ERR-2001, nothing stored, the key still free`, async () => {
      const tenant = await newTenant(service);
      assertProblem(await tenant.submit(body, 'k'), 'ERR-2001');
      await assertNothingLost(tenant, 'k');
    });
  }

  test('a compressed body is not unpacked, whatever Content-Encoding says', async () => {
    const tenant = await newTenant(service);
    const headers = { 'X-Idempotency-Key': 'k', 'Content-Encoding': 'gzip' };
    assert.match(
      assertProblem(await tenant.post('/outbound', new Uint8Array(gzipSync(xml)), headers), 'ERR-2001'),
      /gzip/u,
    );
    await assertNothingLost(tenant, 'k');
  });

  test('windows-1251, declared and kept, is accepted', async () => {
    const { submit } = await newTenant(service);
    const latin = sampleInvoice({ number: 'X', recipient: { name: 'B' } }).replace(/[^\x20-\x7e\n]/gu, 'x');
    const cyrillic = Buffer.from(latin.replace('UTF-8', 'windows-1251'));
    cyrillic[cyrillic.indexOf('>B<') + 1] = 0xc1;
    assert.equal((await submit(new Uint8Array(cyrillic))).status, 201);
  });
});

suite('bad input: bodies too large', () => {
  /** Uploads as an ordinary client does, to the end, and gives the answer. */
  function upload(tenant: TestTenant, key: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', headers: { ...tenant.headers, 'X-Idempotency-Key': key, ...headers } };
      const sending = httpRequest(`${service.api}/outbound`, options, async (response) => {
        const bytes = Buffer.concat(await response.toArray());
        const given = new Headers(response.headers as Record<string, string>);
        resolve({ status: response.statusCode ?? 0, headers: given, bytes, text: bytes.toString() });
      });
      sending.on('error', reject);
      sending.end(BLANKS);
    });
  }

  const LENGTHS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'with Content-Length': { 'Content-Length': String(ELEVEN_MIB) },
    'without Content-Length': { 'Transfer-Encoding': 'chunked' },
  };
  for (const [name, headers] of Object.entries(LENGTHS)) {
    test(`11 MiB ${name}: ERR-2012 reaches a client that uploads to the end, on a connection used again`, async () => {
      const tenant = await newTenant(service);
      for (let round = 0; round < 2; round += 1) {
        assert.match(assertProblem(await upload(tenant, 'k', headers), 'ERR-2012'), /\b10485760\b/u);
      }
      await assertNothingLost(tenant, 'k');
    });
  }

  test('the declared length alone is enough to refuse: not a byte of the body is waited for', async () => {
    const tenant = await newTenant(service);
    const head = submitHead(tenant, 'k', { 'Content-Length': String(ELEVEN_MIB) });
    assertProblem(await sendBytes(service.url, head), 'ERR-2012');
    assertProblem(
      await sendBytes(service.url, submitHead(tenant, 'k', { 'Content-Length': '9'.repeat(15) })),
      'ERR-2012',
    );
    await assertNothingLost(tenant, 'k');
  });

  test('a body without a length is refused as soon as it is too large, before its end', async () => {
    const tenant = await newTenant(service);
    const connection = await openConnection(service.url);
    await connection.send(submitHead(tenant, 'k', { 'Transfer-Encoding': 'chunked' }));
    for (let sent = 0; sent < 11; sent += 1) await connection.send(chunk(BLANKS.subarray(0, MIB)));
    assertProblem((await connection.response()) as Answer, 'ERR-2012');
    connection.abort();
    await assertNothingLost(tenant, 'k');
  });

  test('after the refusal the connection serves the next request, or is closed cleanly', async () => {
    const tenant = await newTenant(service);
    const connection = await openConnection(service.url);
    await connection.send(submitHead(tenant, 'k', { 'Content-Length': String(ELEVEN_MIB) }));
    const refused = (await connection.response()) as Answer;
    assertProblem(refused, 'ERR-2012');
    const closes = refused.headers.get('connection') === 'close';
    if (!closes) await connection.send(BLANKS);
    await connection.send(requestHead('GET', `${ROOT}/ping`, tenant.headers));
    const next = await connection.response();
    assert.equal(next?.status ?? 'closed', closes ? 'closed' : 200);
    connection.abort();
  });

  test('Expect: 100-continue: a body too large is refused before it is uploaded', async () => {
    const tenant = await newTenant(service);
    const expecting = { 'Content-Length': String(ELEVEN_MIB), Expect: '100-continue' };
    assertProblem(await sendBytes(service.url, submitHead(tenant, 'k', expecting)), 'ERR-2012');
    await assertNothingLost(tenant, 'k');
  });

  test('Expect: 100-continue: any other refusal comes before the upload, too', async () => {
    const { headers } = await newTenant(service);
    const expecting = { 'Content-Length': '9000', Expect: '100-continue' };
    const refused = requestHead('POST', `${ROOT}/outbound`, { ...headers, ...expecting });
    assertProblem(await sendBytes(service.url, refused), 'ERR-2013');
    const stranger = requestHead('POST', `${ROOT}/outbound`, expecting);
    assertProblem(await sendBytes(service.url, stranger), 'ERR-1001');
  });

  test('Expect: 100-continue: a document that may come is asked for, once, and stored', async () => {
    const tenant = await newTenant(service);
    const body = bytesOf(freshInvoice());
    const connection = await openConnection(service.url);
    const expecting = { 'Content-Length': String(body.length), Expect: '100-continue' };
    await connection.send(submitHead(tenant, 'k', expecting));
    assert.equal((await connection.response())?.status, 100);
    await connection.send(body);
    assert.equal((await connection.response())?.status, 201);
    connection.abort();
  });
});

suite('bad input: uploads that stumble', () => {
  test('an upload that breaks off stores nothing and leaves its key free', async () => {
    const tenant = await newTenant(service);
    const body = bytesOf(freshInvoice());
    for (const headers of [{ 'Content-Length': String(body.length) }, { 'Transfer-Encoding': 'chunked' }]) {
      for (const ending of ['abort', 'finish'] as const) {
        const connection = await openConnection(service.url);
        await connection.send(submitHead(tenant, 'k', headers));
        const half = body.subarray(0, body.length - 100);
        await connection.send('Content-Length' in headers ? half : chunk(half));
        connection[ending]();
      }
    }
    await assertNothingLost(tenant, 'k');
  });

  test('an upload whose last chunk is missing is no document, even if the bytes would do', async () => {
    const tenant = await newTenant(service);
    const connection = await openConnection(service.url);
    await connection.send(submitHead(tenant, 'k', { 'Transfer-Encoding': 'chunked' }));
    await connection.send(chunk(bytesOf(freshInvoice())));
    connection.finish();
    const answer = await connection.response();
    assert.ok(answer === null || answer.status === 400, `${answer?.status}`);
    await assertNothingLost(tenant, 'k');
  });

  const broken = {
    'after its key was looked up': [chunk(bytesOf('<a>')), ...Array.from({ length: 5 }, () => 'no chunk\r\n')],
    'with its very first chunk': ['no chunk\r\n'],
  };
  for (const [when, pieces] of Object.entries(broken)) {
    test(`an upload that is broken ${when} is 400, once, with the headers of every answer to the key`, async () => {
      const tenant = await newTenant(service);
      const connection = await openConnection(service.url);
      const [first = '', ...others] = pieces;
      const head = submitHead(tenant, 'k', { 'Transfer-Encoding': 'chunked' });
      await connection.send(Buffer.concat([Buffer.from(head), Buffer.from(first)]));
      for (const piece of others) await connection.send(piece);
      const answer = (await connection.response()) as Answer;
      assertPlainProblem(answer, 400);
      assert.match(answer.headers.get('ratelimit') ?? '', /^"minute";r=/u);
      assert.equal(await connection.response(), null);
      connection.abort();
      await assertNothingLost(tenant, 'k');
    });
  }

  test('an upload in many small pieces works, with and without a length', async () => {
    const tenant = await newTenant(service);
    const body = bytesOf(freshInvoice());
    for (const headers of [{ 'Content-Length': String(body.length) }, { 'Transfer-Encoding': 'chunked' }]) {
      const connection = await openConnection(service.url);
      const framed = 'Content-Length' in headers;
      await connection.send(submitHead(tenant, Object.keys(headers).join(), headers));
      for (let at = 0; at < body.length; at += 100) {
        const piece = body.subarray(at, at + 100);
        await connection.send(framed ? piece : chunk(piece));
      }
      if (!framed) await connection.send('0\r\n\r\n');
      const { docUid } = json((await connection.response()) as Answer) as { readonly docUid: string };
      assert.deepEqual((await tenant.get(`/outbound/${docUid}/file`)).bytes, Buffer.from(body));
      connection.abort();
    }
  });

  test('a body that claims to be longer than it is waits for nothing but the rest', async () => {
    const tenant = await newTenant(service);
    const connection = await openConnection(service.url);
    const body = bytesOf(`${freshInvoice()}  `);
    await connection.send(submitHead(tenant, 'k', { 'Content-Length': String(body.length) }));
    await connection.send(body.subarray(0, -2));
    assert.equal((await tenant.get('/ping')).status, 200);
    await connection.send('  ');
    assert.equal((await connection.response())?.status, 201);
    connection.abort();
  });
});

suite('bad input: more bodies at the same moment than the service has room for', () => {
  /** Sends a large part of a document and leaves it at that; gives the answer, if the service does not wait for the rest. */
  async function begin(tenant: TestTenant, key: string) {
    const connection = await openConnection(service.url);
    await connection.send(submitHead(tenant, key, { 'Content-Length': String(10 * MIB) }));
    await Promise.race([connection.begun(), connection.send(BLANKS.subarray(0, 9 * MIB))]);
    return connection;
  }

  /** Asks whether a large document would be taken, without sending it. */
  async function announce(tenant: TestTenant, key: string) {
    const connection = await openConnection(service.url);
    const expecting = { 'Content-Length': String(10 * MIB), Expect: '100-continue' };
    await connection.send(submitHead(tenant, key, expecting));
    return { connection, answer: (await connection.response()) as Answer };
  }

  /** One after the other until a document is refused: the tenant has used up its share. */
  async function fill(tenant: TestTenant) {
    const uploads: RawConnection[] = [];
    for (;;) {
      uploads.push(await begin(tenant, `${uploads.length}`));
      const probe = await announce(tenant, `probe ${uploads.length}`);
      probe.connection.abort();
      if (probe.answer.status === 503) return { uploads, refusal: probe.answer };
      assert.ok(uploads.length < 30, 'one tenant uses all memory for bodies');
    }
  }

  test('what does not fit is 503 with Retry-After; others are served, and what breaks off leaves its room', async () => {
    const tenant = await newTenant(service);
    const { uploads, refusal } = await fill(tenant);
    assertPlainProblem(refusal, 503);
    assert.match(refusal.headers.get('retry-after') ?? '', /^[1-9]\d*$/u);
    assert.match(refusal.headers.get('ratelimit') ?? '', /^"minute";r=/u);
    assert.ok(uploads.length >= 4, `${uploads.length} documents at a time`);
    // What is still on its way fills the share for a moment, until the upload that exceeds it is refused.
    await until('small documents are taken', async () => (await tenant.submit(freshInvoice())).status === 201);
    const other = await newTenant(service);
    assert.equal((await other.submit(paddedInvoice())).status, 201);
    for (const upload of uploads) upload.abort();
    await until('room again', async () => (await tenant.submit(paddedInvoice())).status === 201);
  });

  test('documents that are only announced take no room', async () => {
    const tenant = await newTenant(service);
    const announced = await Promise.all(Array.from({ length: 60 }, (_, index) => announce(tenant, `${index}`)));
    assert.ok(announced.every(({ answer }) => answer.status === 100));
    assert.equal((await tenant.submit(paddedInvoice())).status, 201);
    for (const { connection } of announced) connection.abort();
  });
});

function chunk(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}
