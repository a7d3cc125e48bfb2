import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { bytesOf, PDF_ATTACHMENT, SAMPLE_PDF, sampleInvoice } from '../support/ubl-samples.ts';
import type { Answer } from './support/client.ts';
import { assertProblem } from './support/problem.ts';
import { newTenant, type TestTenant } from './support/tenant.ts';

const service = await startTestService();
after(() => service.stop());
const tenant = await newTenant(service);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** The stored bytes with everything that lets a client check and keep them. */
function assertFile(answer: Answer, expected: Uint8Array, name: string): void {
  assert.equal(answer.status, 200, answer.text);
  assert.ok(answer.bytes.equals(expected), 'byte for byte');
  const { headers } = answer;
  assert.equal(headers.get('content-type'), 'application/octet-stream');
  assert.equal(headers.get('content-length'), String(expected.length));
  assert.equal(headers.get('etag'), `"${sha256(expected).toString('hex')}"`);
  assert.equal(headers.get('repr-digest'), `sha-256=:${sha256(expected).toString('base64')}:`);
  assert.equal(fileName(headers), name);
}

function fileName(headers: Headers): string {
  const disposition = headers.get('content-disposition') ?? '';
  assert.match(disposition, /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w%.~!#$&+^`|-]+$/u);
  return decodeURIComponent(/''(.*)$/u.exec(disposition)?.[1] ?? '');
}

/** Gives a document the file that the authority returned. */
async function storeAuthorityFile({ edb }: TestTenant, docUid: string, bytes: Uint8Array): Promise<void> {
  await service.foundation.engine.transaction(async (sql) => {
    await sql.run('insert into content (tenant, sha256, bytes) values ($1, $2, $3)', [edb, sha256(bytes), bytes]);
    await sql.run('update outbound set ujp_sha256 = $3 where tenant = $1 and id = $2', [edb, docUid, sha256(bytes)]);
  });
}

suite('GET /outbound/{docUid}/file', () => {
  const SHAPES: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
    'UTF-8': bytesOf(sampleInvoice({ number: 'N-1' })),
    'UTF-8 with a byte order mark': bytesOf(`\ufeff${sampleInvoice({ number: 'N-1' })}`),
    'line ends of all kinds and blanks at the end': bytesOf(
      `${sampleInvoice({ number: 'N-1' }).replaceAll('\n', '\r\n')}\r\n\n \n`,
    ),
    'comments and instructions': bytesOf(`${sampleInvoice({ number: 'N-1' })}<!-- kept --><?kept too?>`),
    'UTF-16': new Uint8Array(
      Buffer.from(`\ufeff${sampleInvoice({ number: 'N-1' }).replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    ),
  };
  for (const [name, bytes] of Object.entries(SHAPES)) {
    test(`ubl is the document byte for byte as it was received: ${name}`, async () => {
      const docUid = await tenant.submitted(bytes);
      assertFile(await tenant.get(`/outbound/${docUid}/file?format=ubl`), bytes, 'N-1.xml');
    });
  }

  test('ubl is the default', async () => {
    const xml = sampleInvoice({ number: 'N-2' });
    const docUid = await tenant.submitted(xml);
    assertFile(await tenant.get(`/outbound/${docUid}/file`), bytesOf(xml), 'N-2.xml');
  });

  test('pdf is the one that arrived with the document', async () => {
    const docUid = await tenant.submitted(sampleInvoice({ number: 'N-3', attachments: [PDF_ATTACHMENT] }));
    assertFile(await tenant.get(`/outbound/${docUid}/file?format=pdf`), bytesOf(SAMPLE_PDF), 'N-3.pdf');
  });

  test('ujp is the final document returned by the authority', async () => {
    const docUid = await tenant.submitted(sampleInvoice({ number: 'N-4' }));
    const bytes = Buffer.from('PK\u0003\u0004 signed by the authority');
    assertProblem(await tenant.get(`/outbound/${docUid}/file?format=ujp`), 'ERR-3002');
    await storeAuthorityFile(tenant, docUid, bytes);
    assertFile(await tenant.get(`/outbound/${docUid}/file?format=ujp`), bytes, 'N-4.asics');
  });

  test('a representation that was not supplied is ERR-3002, never produced on demand', async () => {
    const docUid = await tenant.submitted();
    for (const format of ['pdf', 'ujp']) {
      assert.match(
        assertProblem(await tenant.get(`/outbound/${docUid}/file?format=${format}`), 'ERR-3002'),
        /"?(pdf|ujp)/u,
      );
    }
  });

  for (const format of ['original', 'xml', 'UBL', 'ubl%20', '__proto__', 'constructor']) {
    test(`another format is ERR-3002, which names the known ones: "${format}"`, async () => {
      const docUid = await tenant.submitted();
      const detail = assertProblem(await tenant.get(`/outbound/${docUid}/file?format=${format}`), 'ERR-3002');
      for (const known of ['ubl', 'pdf', 'ujp']) assert.match(detail, new RegExp(`\\b${known}\\b`, 'u'));
    });
  }

  test('a cancelled document can still be downloaded', async () => {
    const xml = sampleInvoice({ number: 'N-5' });
    const docUid = await tenant.submitted(xml);
    await tenant.post(`/outbound/${docUid}/cancel`);
    assertFile(await tenant.get(`/outbound/${docUid}/file`), bytesOf(xml), 'N-5.xml');
  });
});

suite('GET /outbound/{docUid}/file: headers', () => {
  test('the bytes are octets whatever is asked for in Accept', async () => {
    const docUid = await tenant.submitted();
    for (const accept of ['application/json', 'text/plain', 'application/xml', 'image/png']) {
      const { headers } = await tenant.get(`/outbound/${docUid}/file`, { Accept: accept });
      assert.equal(headers.get('content-type'), 'application/octet-stream');
    }
  });

  test('a client that has the bytes already gets 304 without them', async () => {
    const docUid = await tenant.submitted();
    const path = `/outbound/${docUid}/file`;
    const etag = (await tenant.get(path)).headers.get('etag') ?? '';
    for (const given of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await tenant.get(path, { 'If-None-Match': given });
      assert.deepEqual([answer.status, answer.bytes.length, answer.headers.get('etag')], [304, 0, etag], given);
    }
    for (const given of ['"other"', etag.slice(1, -1), '""']) {
      assert.equal((await tenant.get(path, { 'If-None-Match': given })).status, 200, given);
    }
  });

  test('HEAD gives the headers of the download without its bytes', async () => {
    const docUid = await tenant.submitted();
    const [get, head] = [await tenant.get(`/outbound/${docUid}/file`), await tenant.head(`/outbound/${docUid}/file`)];
    assert.deepEqual([head.status, head.bytes.length], [200, 0]);
    for (const name of ['content-type', 'content-length', 'content-disposition', 'etag', 'repr-digest']) {
      assert.equal(head.headers.get(name), get.headers.get(name), name);
    }
  });

  const NAMES: Readonly<Record<string, string | RegExp>> = {
    'Ф-2026-00142': 'Ф-2026-00142.xml',
    '7/26 (копија)': '7-26-копија.xml',
    '../../etc/passwd': 'etc-passwd.xml',
    'a"b;c\\d': 'a-b-c-d.xml',
    '***': /^[0-9a-f-]{36}\.xml$/u,
    ['9'.repeat(300)]: `${'9'.repeat(100)}.xml`,
  };
  for (const [number, expected] of Object.entries(NAMES)) {
    test(`the file is named after the document, safely: ${number.slice(0, 20)}`, async () => {
      const docUid = await tenant.submitted(sampleInvoice({ number }));
      const name = fileName((await tenant.get(`/outbound/${docUid}/file`)).headers);
      if (typeof expected === 'string') assert.equal(name, expected);
      else assert.match(name, expected);
    });
  }
});
