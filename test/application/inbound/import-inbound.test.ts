import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { systemHasher } from '../../../src/adapters/platform/platform.ts';
import { importInbound } from '../../../src/application/inbound/import-inbound.ts';
import type { DocUid } from '../../../src/domain/documents/doc-uid.ts';
import { ANY_INBOUND, MORNING, newEdb, plain, recordTest } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { sharedReader } from '../../support/shared-reader.ts';
import { clockAt } from '../../support/test-clock.ts';
import { bytesOf, sampleInvoice } from '../../support/ubl-samples.ts';

const EXAMPLES = new URL('../../../docs/examples/', import.meta.url);
const PDF = new TextEncoder().encode('%PDF-1.7\n…');

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(async () => {
  await database.close();
});

const importer = () =>
  importInbound({
    storage: database.storage,
    reader: sharedReader(),
    hasher: systemHasher,
    clock: clockAt(),
    record: recordTest,
  });

async function example(name: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(new URL(name, EXAMPLES)));
}

async function shapesOf(tenant: ReturnType<typeof newEdb>, docUid: DocUid): Promise<readonly string[]> {
  const formats = ['original', 'ubl', 'pdf'] as const;
  const files = await Promise.all(formats.map((format) => database.storage.inbound.file(tenant, docUid, format)));
  return formats.filter((_, index) => files[index] !== null);
}

test('a UBL invoice is recognised: sender, number, amount and currency are read from it', async () => {
  const tenant = newEdb();
  const bytes = await example('invoice.xml');
  const { docUid, shape, isNew } = await importer()(tenant, 'invoice.xml', bytes);
  assert.deepEqual([shape, isNew, await shapesOf(tenant, docUid)], ['ubl', true, ['original', 'ubl']]);
  const document = await database.storage.inbound.find(tenant, docUid);
  const text = new TextDecoder().decode(bytes);
  assert.equal(document?.receivedAt, MORNING);
  assert.equal(document?.senderEdb, '4030026000018');
  assert.ok(text.includes(document?.senderName ?? 'missing'));
  assert.ok(text.includes(`<cbc:ID>${document?.documentNumber}</cbc:ID>`));
  assert.match(text, new RegExp(`PayableAmount[^>]*>${document?.amount?.replace('.', '\\.')}<`));
  assert.match(text, new RegExp(`>${document?.currency}<`));
});

test('the tax number of a sender abroad is kept, whatever it reads', async () => {
  const tenant = newEdb();
  for (const taxNumber of ['malformed', 'none']) {
    const bytes = bytesOf(sampleInvoice({ number: taxNumber, supplier: { taxNumber, country: 'DE' } }));
    const { docUid } = await importer()(tenant, null, bytes);
    assert.equal((await database.storage.inbound.find(tenant, docUid))?.senderEdb, taxNumber);
  }
});

test('a UBL credit note is recognised', async () => {
  const tenant = newEdb();
  assert.equal((await importer()(tenant, null, await example('credit-note.xml'))).shape, 'ubl');
});

test('the file is kept byte for byte, with its name', async () => {
  const tenant = newEdb();
  const bytes = await example('invoice.xml');
  const { docUid } = await importer()(tenant, 'фактура.xml', bytes);
  for (const format of ['original', 'ubl'] as const) {
    const file = await database.storage.inbound.file(tenant, docUid, format);
    assert.deepEqual(plain(file?.bytes ?? new Uint8Array()), bytes);
    assert.equal(file?.fileName, 'фактура.xml');
  }
});

const others: readonly (readonly [name: string, bytes: Uint8Array, shape: 'pdf' | 'other'])[] = [
  ['a PDF', PDF, 'pdf'],
  ['a PDF behind a few stray bytes', Uint8Array.of(0xef, 0xbb, 0xbf, 10, ...PDF), 'pdf'],
  ['a table', new TextEncoder().encode('a;b\n1;2\n'), 'other'],
  ['XML that is no UBL', new TextEncoder().encode('<Order xmlns="urn:x"/>'), 'other'],
  ['broken XML', new TextEncoder().encode('<Invoice'), 'other'],
  ['bytes of any kind', Uint8Array.from({ length: 3_000 }, (_, index) => (index * 7) % 256), 'other'],
];

for (const [name, bytes, shape] of others) {
  test(`${name} is taken in as ${shape}, with nothing made up`, async () => {
    const tenant = newEdb();
    const result = await importer()(tenant, null, bytes);
    assert.equal(result.shape, shape);
    const expected = shape === 'pdf' ? ['original', 'pdf'] : ['original'];
    assert.deepEqual(await shapesOf(tenant, result.docUid), expected);
    const { senderName, senderEdb, documentNumber, amount, currency } =
      (await database.storage.inbound.find(tenant, result.docUid)) ?? assert.fail();
    assert.deepEqual([senderName, senderEdb, documentNumber, amount, currency], [null, null, null, null, null]);
  });
}

test('the same file twice is one document, whatever it is called', async () => {
  const tenant = newEdb();
  const bytes = await example('invoice.xml');
  const first = await importer()(tenant, 'invoice.xml', bytes);
  const second = await importer()(tenant, 'copy of invoice.xml', new Uint8Array(bytes));
  assert.deepEqual(second, { ...first, isNew: false });
  const { totalCount } = await database.storage.inbound.list(tenant, ANY_INBOUND, { page: 1, pageSize: 10 });
  assert.equal(totalCount, 1);
});

test('the same file many times at the same moment is one document', async () => {
  const tenant = newEdb();
  const results = await Promise.all(Array.from({ length: 10 }, () => importer()(tenant, null, PDF)));
  assert.equal(results.filter(({ isNew }) => isNew).length, 1);
  assert.equal(new Set(results.map(({ docUid }) => docUid)).size, 1);
});

test('one byte more is another document, and another tenant has its own', async () => {
  const [tenant, other] = [newEdb(), newEdb()];
  await importer()(tenant, null, PDF);
  assert.equal((await importer()(tenant, null, Uint8Array.of(...PDF, 10))).isNew, true);
  assert.equal((await importer()(other, null, PDF)).isNew, true);
});

test('a sender whose tax number cannot be read as one is kept by name alone', async () => {
  const tenant = newEdb();
  const text = new TextDecoder().decode(await example('invoice.xml')).replaceAll('4030026000018', '12345');
  const { docUid, shape } = await importer()(tenant, null, new TextEncoder().encode(text));
  const document = await database.storage.inbound.find(tenant, docUid);
  assert.deepEqual([shape, document?.senderEdb, typeof document?.senderName], ['ubl', null, 'string']);
});
