import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serviceHere } from '../cli/service-here.ts';
import { type RunningService, startService, temporaryFolder } from '../support/process.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';

const KEY = 'demo-alfa';
const PAGE_BYTES = 4_096;
const DOCUMENTS = 12;
const [FLIPPED, BROKEN] = [3, 9];

type Document = { readonly xml: string; readonly docUid: string };

test('a damaged page is named in the log, and no call is answered with other bytes than were submitted', async (t) => {
  const folder = temporaryFolder();
  const variables = { DATA_DIR: folder, DELIVERY_HOLD_SECONDS: '86400', LOG_LEVEL: 'error' };
  const before = await serviceHere(t, variables);
  const documents: Document[] = [];
  for (let number = 0; number < DOCUMENTS; number += 1) documents.push(await submit(before, number));
  await before.stop();
  const path = join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) ?? assert.fail('no database'));
  damage(path, documents);

  const service = await startService(t, variables);
  const wrong: string[] = [];
  const failed: number[] = [];
  for (const [number, { docUid, xml }] of documents.entries()) {
    const answer = await service.call(KEY, `/outbound/${docUid}/file`);
    const text = await answer.text();
    if (answer.status === 200 && text !== xml) wrong.push(docUid);
    if (answer.status === 200) continue;
    failed.push(number);
    const { code, eventId } = JSON.parse(text) as { readonly code: string; readonly eventId: string };
    assert.deepEqual([answer.status, code], [500, 'ERR-9000'], text);
    const [line] = await service.waitFor(new RegExp(`^.*${eventId}.*$`, 'mu'));
    assert.match(line, /damaged/u);
  }
  t.diagnostic(`of ${DOCUMENTS} documents these cannot be read: ${failed}`);

  await t.test('what is damaged is refused, nothing else is changed', () => {
    assert.deepEqual(wrong, []);
    assert.ok(failed.includes(FLIPPED) && failed.includes(BROKEN), `${failed}`);
    assert.ok(failed.length < DOCUMENTS, 'other pages are read');
  });

  await t.test('new documents are taken or refused, never lost', async () => {
    for (let number = DOCUMENTS; number < 2 * DOCUMENTS; number += 1) {
      const { docUid, xml } = await submit(service, number).catch(() => ({ docUid: null, xml: '' }));
      if (docUid === null) continue;
      const answer = await service.call(KEY, `/outbound/${docUid}/file`);
      assert.equal(await answer.text(), xml);
    }
  });
});

async function submit(service: Pick<RunningService, 'call'>, number: number): Promise<Document> {
  const xml = sampleInvoice({ number: marker(number) });
  const headers = { 'X-Idempotency-Key': marker(number) };
  const answer = await service.call(KEY, '/outbound', { method: 'POST', headers, body: xml });
  assert.equal(answer.status, 201);
  return { xml, docUid: ((await answer.json()) as { readonly docUid: string }).docUid };
}

function marker(number: number): string {
  return `damage-${String(number).padStart(4, '0')}`;
}

/** Changes a letter of one stored document, as a failing disk does, and writes over the head of the page that another one begins on. */
function damage(path: string, documents: readonly Document[]): void {
  const file = readFileSync(path);
  const begin = (number: number) => {
    const xml = documents[number]?.xml ?? assert.fail();
    const at = file.indexOf(Buffer.from(xml.slice(0, xml.indexOf(marker(number)) + marker(number).length)));
    assert.ok(at >= 0, 'the document is in the file');
    return at;
  };
  const flipped = begin(FLIPPED) + 40;
  const broken = Math.floor(begin(BROKEN) / PAGE_BYTES) * PAGE_BYTES;
  file.writeUInt8(file.readUInt8(flipped) ^ 1, flipped);
  file.fill(0xff, broken, broken + 8);
  writeFileSync(path, file);
}
