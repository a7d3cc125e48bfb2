import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSchemaFiles } from '../../../src/adapters/ubl/judging/schema-files.ts';
import { scanFirst } from '../../../src/adapters/ubl/scan-first.ts';
import { createScanReading, type ScanReading } from '../../../src/adapters/ubl/scanner/scan-reading.ts';
import { parseEdb } from '../../../src/domain/accounts/edb.ts';
import { sharedReader } from '../../support/shared-reader.ts';
import { ALFA_EDB, bytesOf, largeInvoice, PDF_ATTACHMENT, sampleInvoice, without } from '../../support/ubl-samples.ts';

const scan = createScanReading(readSchemaFiles());
const edb = parseEdb(ALFA_EDB);
assert.ok(edb !== null);

/** A scanner that has lost a rule: it takes documents without a date. */
const wrongScan: ScanReading = (bytes) =>
  scan(bytes) ?? { ...taken(bytesOf(sampleInvoice())), file: taken(bytes).file };

function taken(bytes: Uint8Array<ArrayBuffer>) {
  const reading = scan(bytes) ?? scan(bytesOf(sampleInvoice()));
  assert.ok(reading !== null);
  return { ...reading, file: { ...reading.file, bytes } };
}

describe('documents are scanned before they are parsed', () => {
  const reader = sharedReader();

  function opened(options: { readonly scan: ScanReading; readonly isCompared: boolean }) {
    const ways: string[] = [];
    const disagreements: string[] = [];
    const scanning = scanFirst(reader, {
      scan: options.scan,
      isCompared: () => options.isCompared,
      onRead: (way) => ways.push(way),
      onDisagreement: (_, parser) => disagreements.push(parser),
    });
    return { read: (xml: string) => scanning.read(edb as never, bytesOf(xml)), ways, disagreements };
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
      scan: (bytes) => ({ ...taken(bytes), facts: { ...taken(bytes).facts, amount: '1' } }),
      isCompared: true,
    });
    const reading = await read(sampleInvoice());
    assert.ok(reading.outcome === 'document' && reading.facts.amount !== '1');
    assert.equal(disagreements.length, 1);
  });
});

/** Whichever thread the bytes come from. */
function plain(reading: unknown): unknown {
  return JSON.parse(JSON.stringify(reading, (_, value) => (value?.type === 'Buffer' ? { ...value.data } : value)));
}
