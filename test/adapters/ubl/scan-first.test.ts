import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentGiven } from '../../../src/adapters/threads/serialised-content.ts';
import { contentOf } from '../../../src/adapters/ubl/content/stored-content.ts';
import { readSchemaFiles } from '../../../src/adapters/ubl/judging/schema-files.ts';
import { scanFirst } from '../../../src/adapters/ubl/scan-first.ts';
import { createDocumentScan, type DocumentScan } from '../../../src/adapters/ubl/scanner/scan-reading.ts';
import type { DocumentReader } from '../../../src/application/ports/document-reader.ts';
import { parseEdb } from '../../../src/domain/accounts/edb.ts';
import { sharedReader } from '../../support/shared-reader.ts';
import { ALFA_EDB, bytesOf, largeInvoice, PDF_ATTACHMENT, sampleInvoice, without } from '../../support/ubl-samples.ts';

const scan = createDocumentScan(readSchemaFiles());
const edb = parseEdb(ALFA_EDB);
assert.ok(edb !== null);

/** A scanner that has lost a rule: it takes documents without a date. */
const wrongScan: DocumentScan = {
  ...scan,
  read: (bytes) => scan.read(bytes) ?? { ...taken(bytesOf(sampleInvoice())), file: taken(bytes).file },
};

function taken(bytes: Uint8Array<ArrayBuffer>) {
  const reading = scan.read(bytes) ?? scan.read(bytesOf(sampleInvoice()));
  assert.ok(reading !== null);
  return { ...reading, file: { ...reading.file, bytes } };
}

describe('documents are scanned before they are parsed', () => {
  const reader = sharedReader();

  function opened(options: { readonly scan: DocumentScan; readonly isCompared: boolean }) {
    const ways: string[] = [];
    let parsed = 0;
    const disagreements: string[] = [];
    const counting: DocumentReader = {
      ...reader,
      content(tenant, bytes) {
        parsed += 1;
        return reader.content(tenant, bytes);
      },
    };
    const scanning = scanFirst(counting, {
      scan: options.scan,
      isCompared: () => options.isCompared,
      onRead: (way) => ways.push(way),
      onDisagreement: (_, parser) => disagreements.push(parser),
    });
    return {
      read: (xml: string) => scanning.read(edb as never, bytesOf(xml)),
      content: async (xml: string) => contentGiven(await scanning.content(edb as never, bytesOf(xml))),
      ways,
      disagreements,
      parsed: () => parsed,
    };
  }

  test('small usual ones get the same reading without the parser', async () => {
    const { read, ways } = opened({ scan, isCompared: false });
    for (const xml of [sampleInvoice(), sampleInvoice({ attachments: [PDF_ATTACHMENT] })]) {
      const judged = await reader.read(edb as never, bytesOf(xml));
      assert.deepEqual(plain(await read(xml)), plain(judged));
    }
    assert.deepEqual(ways, ['scanner', 'scanner']);
  });

  test('the parser judges whatever is unusual, wrong or large', async () => {
    const { read, ways } = opened({ scan, isCompared: false });
    const unusual = await read(sampleInvoice().replace(/<cbc:ID>([^<]*)</u, '<cbc:ID><![CDATA[$1]]><'));
    const wrong = await read(without(sampleInvoice(), 'cbc:IssueDate'));
    const large = await read(largeInvoice(100_000));
    assert.deepEqual([unusual.outcome, wrong.outcome, large.outcome], ['document', 'refused', 'document']);
    assert.deepEqual(ways, ['parser', 'parser', 'parser']);
  });

  test('compared documents that both take are no disagreement', async () => {
    const { read, disagreements } = opened({ scan, isCompared: true });
    assert.equal((await read(sampleInvoice({ attachments: [PDF_ATTACHMENT] }))).outcome, 'document');
    assert.deepEqual(disagreements, []);
  });

  test('a disagreement is reported, the parser is right, and the scanner is not asked again', async () => {
    const { read, ways, disagreements } = opened({ scan: wrongScan, isCompared: true });
    const wrong = without(sampleInvoice(), 'cbc:IssueDate');
    assert.equal((await read(wrong)).outcome, 'refused');
    assert.equal((await read(sampleInvoice())).outcome, 'document');
    assert.deepEqual(ways, ['scanner', 'parser']);
    assert.equal(disagreements.length, 1);
    assert.match(disagreements[0] ?? '', /^ERR-2002: /u);
  });

  test('other facts of the same document are a disagreement too', async () => {
    const { read, disagreements } = opened({
      scan: { ...scan, read: (bytes) => ({ ...taken(bytes), facts: { ...taken(bytes).facts, amount: '1' } }) },
      isCompared: true,
    });
    const reading = await read(sampleInvoice());
    assert.ok(reading.outcome === 'document' && reading.facts.amount !== '1');
    assert.equal(disagreements.length, 1);
  });

  test('the content of small usual ones is read without the parser, and is the same', async () => {
    const { content, parsed } = opened({ scan, isCompared: false });
    for (const xml of [sampleInvoice(), sampleInvoice({ attachments: [PDF_ATTACHMENT] })])
      assert.deepEqual(await content(xml), contentOf(bytesOf(xml)));
    assert.equal(parsed(), 0);
  });

  test('the parser reads the content of whatever is unusual or large', async () => {
    const { content, parsed } = opened({ scan, isCompared: false });
    const unusual = sampleInvoice().replace(/<cbc:ID>([^<]*)</u, '<cbc:ID><![CDATA[$1]]><');
    for (const xml of [unusual, largeInvoice(100_000)]) assert.deepEqual(await content(xml), contentOf(bytesOf(xml)));
    assert.equal(parsed(), 2);
  });

  test('compared contents that both read alike are no disagreement', async () => {
    const { content, parsed, disagreements } = opened({ scan, isCompared: true });
    await content(sampleInvoice());
    assert.deepEqual([parsed(), disagreements], [1, []]);
  });

  test('a content that the parser cannot read is a disagreement too', async () => {
    const cut = sampleInvoice().slice(0, -3);
    const content = async () => (await scan.content(bytesOf(sampleInvoice()))) ?? assert.fail();
    const opening = opened({ scan: { ...scan, content }, isCompared: true });
    await assert.rejects(opening.content(cut));
    assert.equal(opening.disagreements.length, 1);
    assert.match(opening.disagreements[0] ?? '', /^it cannot read the content: The document is not well-formed/u);
    await assert.rejects(opening.content(cut));
    assert.equal(opening.disagreements.length, 1, 'the scanner is not asked again');
  });

  test('another content of the same document is reported, the parser is right, and the scanner is not asked again', async () => {
    const wrong: DocumentScan = {
      ...scan,
      async content(bytes) {
        const found = await scan.content(bytes);
        return found && { ...found, notes: ['planted'] };
      },
    };
    const { content, read, ways, parsed, disagreements } = opened({ scan: wrong, isCompared: true });
    assert.deepEqual((await content(sampleInvoice())).notes, contentOf(bytesOf(sampleInvoice())).notes);
    assert.deepEqual(disagreements, ['it reads another content']);
    await content(sampleInvoice());
    assert.equal(parsed(), 2);
    await read(sampleInvoice());
    assert.deepEqual(ways, ['parser'], 'nor for what it judges');
  });
});

/** Whichever thread the bytes come from. */
function plain(reading: unknown): unknown {
  return JSON.parse(JSON.stringify(reading, (_, value) => (value?.type === 'Buffer' ? { ...value.data } : value)));
}
