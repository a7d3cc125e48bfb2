import assert from 'node:assert/strict';
import { createHash, verify, X509Certificate } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Authority, alfa, beta, errorOf, skopje, startAuthority } from './authority-client.ts';
import type { Json } from './sample-document.ts';
import { readZip } from './zip-reader.ts';

describe('files of a registered document', () => {
  let authority: Authority;
  let euid: string;
  before(async () => {
    authority = await startAuthority(null);
    euid = await authority.registered({ docNumber: 'Ф-12 (б)', docId: 'files' });
  });
  after(() => authority.simulator.close());

  const container = async (signer = alfa) => {
    const response = await authority.post('invoice', { euid }, signer);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/vnd.etsi.asic-s+zip');
    return Buffer.from(await response.arrayBuffer());
  };

  test('the container is an ASiC-S: its type first and uncompressed, one signed file, one time stamp', async () => {
    for (const signer of [alfa, beta]) {
      const archive = await container(signer);
      const files = readZip(archive);
      assert.deepEqual(
        files.map(({ name, method }) => [name, method]),
        [
          ['mimetype', 0],
          [`${euid}.jws`, 0],
          ['META-INF/timestamp.tst', 0],
        ],
      );
      assert.equal(files[0]?.offset, 0);
      assert.equal(archive.toString('ascii', 30, 69), 'mimetypeapplication/vnd.etsi.asic-s+zip');
    }
  });

  test('the signed file is what the seller signed, and its signature is valid', async () => {
    const [, signed] = readZip(await container());
    const [header = '', payload = '', signature = ''] = String(signed?.content).split('.');
    const { publicKey } = new X509Certificate(alfa.certificatePem);
    const content = Buffer.from(`${header}.${payload}`);
    assert.ok(verify('sha256', content, publicKey, Buffer.from(signature, 'base64url')));
    const answer = await authority.ask('sales-invoice/payload', { euid });
    assert.equal(Buffer.from(payload, 'base64url').toString(), answer['payload']);
  });

  test('the time stamp covers the signed file and has the time of registration', async () => {
    const [, signed, stamp] = readZip(await container());
    const token = stamp?.content ?? Buffer.alloc(0);
    assert.ok(
      token.includes(
        createHash('sha256')
          .update(signed?.content ?? '')
          .digest(),
      ),
    );
    assert.ok(token.includes('20261115090000Z'));
    assert.equal(token[0], 0x30);
    assert.equal(4 + token.readUInt16BE(2), token.length, 'one value of ASN.1, whole');
  });

  test('the container can be requested without a signature, but only by seller and buyer', async () => {
    const body = JSON.stringify({ requestTimestamp: skopje(authority.clock.now()), euid });
    assert.equal((await authority.post('invoice', {}, alfa, { body })).status, 200);
    const delta = { ...alfa, eujpId: 'demo-delta', edb: '5012026000048' };
    const { eujpId, edb, certificatePem } = delta;
    await authority.admin('certificates', { eujpId, edb, certificatePem });
    assert.equal(errorOf(await authority.ask('invoice', { euid }, delta)), 'E1021');
    assert.equal(errorOf(await authority.ask('invoice', {})), 'E4011');
  });

  test('the PDF is well formed and shows number, parties, total and EUID', async () => {
    for (const [side, signer] of [
      ['sales-invoice', alfa],
      ['purchase-invoice', beta],
    ] as const) {
      const { pdfBase64 } = await authority.ask(`${side}/pdf`, { euid }, signer);
      const pdf = Buffer.from(String(pdfBase64), 'base64').toString('latin1');
      checkPdf(pdf);
      const shown = ['Faktura F-12 \\(b\\)', 'ALFA DOO Skopje', 'BETA DOOEL Bitola', '2360.00 MKD', euid];
      for (const text of shown) assert.ok(pdf.includes(text), text);
    }
  });

  test('the page that the QR code links to shows the document and its status', async () => {
    const response = await fetch(`${authority.simulator.portalUrl}/euid/${euid}`);
    const page = await response.text();
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    for (const text of [euid, 'Ф-12 (б)', 'АЛФА ДОО Скопје', '2360.00 MKD', 'Испратена (Нова)']) {
      assert.ok(page.includes(text), text);
    }
    assert.equal((await fetch(`${authority.simulator.portalUrl}/euid/nothing`)).status, 404);
  });

  test('text of a document is escaped in the page', async () => {
    const { body } = await authority.send(markedUp(await authority.ask('sales-invoice/payload', { euid })));
    const page = await (await fetch(String(body['qr_link']))).text();
    assert.ok(page.includes('&lt;b&gt;&amp;'));
    assert.ok(!page.includes('<b>'));
  });
});

function markedUp({ payload }: Json): Json {
  const { document } = JSON.parse(String(payload)) as { document: Record<string, Json> };
  return { ...document, header: { ...document['header'], docNumber: '<b>&"', docId: 'marked' } };
}

/** Checks that every object is at its offset in the table, and the table at the offset given at the end. */
function checkPdf(pdf: string): void {
  assert.match(pdf, /^%PDF-1\.4\n/u);
  const [, start = ''] = /startxref\n(\d+)\n%%EOF\n$/u.exec(pdf) ?? [];
  const table = /^xref\n0 (\d+)\n0000000000 65535 f \n((?:\d{10} 00000 n \n)+)trailer\n/u.exec(
    pdf.slice(Number(start)),
  );
  const offsets = (table?.[2] ?? '').match(/\d{10}(?= 00000 n)/gu) ?? [];
  assert.equal(offsets.length + 1, Number(table?.[1]));
  offsets.forEach((offset, index) => {
    assert.ok(pdf.startsWith(`${index + 1} 0 obj\n`, Number(offset)), `object ${index + 1}`);
  });
  const [, length = '', stream = ''] = /<< \/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/u.exec(pdf) ?? [];
  assert.equal(stream.length, Number(length));
}
