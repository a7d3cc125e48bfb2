import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, suite, test } from 'node:test';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import { addOutboundIn, newOutbound } from '../engines/samples.ts';
import { startTestService } from '../support/service.ts';
import { bytesOf, PDF_ATTACHMENT, SAMPLE_PDF, sampleInvoice } from '../support/ubl-samples.ts';
import type { Answer } from './support/client.ts';
import { assertProblem } from './support/problem.ts';
import { newTenant, type TestTenant } from './support/tenant.ts';

const service = await startTestService();
after(() => service.stop());
const tenant = await newTenant(service);

const PAYLOAD = {
  docTypeCode: '380',
  docNumber: 'N-1',
  docDate: '2026-11-16',
  docId: 'one',
  text: '{"document":{}}',
  warnings: [],
  requestTimestamp: '2026-11-16T09:00:00',
  sentAt: 0,
};

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
async function storeAuthorityFile({ edb }: TestTenant, docUid: DocUid, bytes: Uint8Array): Promise<void> {
  const file = { bytes, sha256: sha256(bytes) };
  await service.foundation.storage.transaction((tx) => tx.deliveries.storeContainer(edb, docUid, file, Date.now()));
}

/** A document that was prepared, so that what is sent is stored, and then came to that status. */
async function documentIn(status: OutboundStatus): Promise<DocUid> {
  const { storage, clock } = service.foundation;
  const { docUid } = await storage.transaction(async (tx) => {
    const added = await addOutboundIn(tx, tenant.edb, status, newOutbound(), clock.now());
    await tx.deliveries.savePayload(tenant.edb, added.docUid, PAYLOAD);
    return added;
  });
  return docUid;
}

/** A later step is to be taken, as for every document that is under way. */
async function makeDue(docUid: DocUid): Promise<void> {
  const { engine, clock } = service.foundation;
  const text = 'update outbound set due_at = $3 where tenant = $1 and doc_uid = $2';
  assert.equal(await engine.transaction((sql) => sql.run(text, [tenant.edb, docUid, clock.now() + 60_000])), 1);
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

  test('ujp is the final document returned by the authority, and no other file ever takes its place', async () => {
    const docUid = await tenant.submitted(sampleInvoice({ number: 'N-4' }));
    const path = `/outbound/${docUid}/file?format=ujp`;
    const bytes = Buffer.from('PK\u0003\u0004 signed by the authority');
    assertProblem(await tenant.get(path), 'ERR-3002');
    await storeAuthorityFile(tenant, docUid, bytes);
    assertFile(await tenant.get(path), bytes, 'N-4.asics');
    await storeAuthorityFile(tenant, docUid, Buffer.from('PK\u0003\u0004 signed a second time'));
    assertFile(await tenant.get(path), bytes, 'N-4.asics');
  });

  for (const status of [10, 20, 30, 40] as const) {
    test(`ujp of a document in status ${status} is on its way until the authority's file is there`, async () => {
      const docUid = await documentIn(status);
      await makeDue(docUid);
      const answer = await tenant.get(`/outbound/${docUid}/file?format=ujp`);
      assert.match(assertProblem(answer, 'ERR-3002'), /"ujp".* on its way/u);
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/u);
    });
  }

  // An accepted one whose container was given up on by an earlier version, and that was archived then, is not due again.
  for (const status of [40, 50, 55, 60] as const) {
    test(`ujp of a document in status ${status} will not come, and nobody is asked to come back for it`, async () => {
      const docUid = await documentIn(status);
      const answer = await tenant.get(`/outbound/${docUid}/file?format=ujp`);
      assert.match(assertProblem(answer, 'ERR-3002'), new RegExp(`status ${status}.* no format "ujp"`, 'u'));
      assert.equal(answer.headers.get('retry-after'), null);
    });
  }

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
