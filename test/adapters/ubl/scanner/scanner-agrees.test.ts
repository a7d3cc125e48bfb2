import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readSchemaFiles } from '../../../../src/adapters/ubl/judging/schema-files.ts';
import { readContentModels } from '../../../../src/adapters/ubl/scanner/content-models.ts';
import { isTenantField } from '../../../../src/domain/tenant-names/tenant-field.ts';
import { corpusBytes, corpusMissing, corpusRows } from '../../../support/corpus.ts';
import { type Random, withRandom } from '../../../support/seeds.ts';
import { mutateOutlined } from '../../../support/ubl-mutations.ts';
import { bytesOf, PDF_ATTACHMENT, sampleCreditNote, sampleInvoice } from '../../../support/ubl-samples.ts';
import { outlineXml } from '../../../support/xml-outline.ts';
import { FULL_DOCUMENTS } from '../element-uses/full-documents.ts';
import { judge } from '../judging/judging.ts';
import { mutateBytes } from './byte-mutations.ts';
import { agrees, agreesOnContent, scan } from './scanning.ts';

const IS_LONG = process.env['TEST_LONG'] === '1';
const MUTATIONS = IS_LONG ? 1_000_000 : 50_000;
/** Reading a whole content takes longer than judging it. */
const MUTATIONS_OF_CONTENT = IS_LONG ? 200_000 : 5_000;
/** Of a hundred; fewer would say that the mutations are all too coarse to get past the scanner. */
const LEAST_TAKEN = 5;
const MOST_CORPUS_BYTES = 30_000;
const LEAST_OF_CORPUS = 0.8;

const EXAMPLES = new URL('../../../../docs/examples/', import.meta.url);
const own = [
  ...readdirSync(EXAMPLES).map((file) => readFileSync(new URL(file, EXAMPLES), 'utf8')),
  sampleInvoice(),
  sampleCreditNote(),
  sampleInvoice({ attachments: [PDF_ATTACHMENT] }),
  sampleInvoice().replace('<?xml version="1.0" encoding="UTF-8"?>', '').replaceAll('\n', '\r\n'),
];

describe('whatever the scanner takes, the parser takes with the same facts:', () => {
  test('our own documents, all of them', () => {
    for (const xml of own)
      assert.ok(
        agrees(bytesOf(xml), () => beginOf(xml)),
        beginOf(xml),
      );
  });

  test('the corpus, of which it takes at least 80 of 100', { skip: corpusMissing }, () => {
    let valid = 0;
    let taken = 0;
    for (const row of corpusRows()) {
      const bytes = corpusBytes(row);
      if (judge(bytes).outcome === 'document') valid += 1;
      if (agrees(bytes, () => row.file)) taken += 1;
    }
    assert.ok(taken / valid >= LEAST_OF_CORPUS, `${taken} of ${valid}`);
  });

  test(`${MUTATIONS} mutations`, () =>
    withRandom((random) => {
      const mutated = mutations(random, [...own, ...ofCorpus()], MUTATIONS);
      const taken = mutated.filter((bytes) => agrees(bytes, () => textOf(bytes))).reduce((count) => count + 1, 0);
      assert.ok((100 * taken) / MUTATIONS > LEAST_TAKEN, `it took ${taken}`);
    }));
});

describe('of whatever the scanner takes, the parser reads the same content:', () => {
  // The content of extensions is left to the parser.
  const full = FULL_DOCUMENTS.map((xml) => xml.replace(/<ext:UBLExtensions>.*?<\/ext:UBLExtensions>/su, ''));

  test('our own documents, all of them', async () => {
    for (const xml of own) assert.ok(await agreesOnContent(bytesOf(xml), () => beginOf(xml)), beginOf(xml));
    let taken = 0;
    for (const xml of full) if (await agreesOnContent(bytesOf(xml), () => beginOf(xml))) taken += 1;
    assert.ok(2 * taken > full.length, `${taken} of ${full.length}`);
  });

  test('the corpus', { skip: corpusMissing }, async () => {
    for (const row of corpusRows()) {
      const isTaken = await agreesOnContent(corpusBytes(row), () => row.file);
      assert.ok(isTaken || scan(corpusBytes(row)) === null, `${row.file}: taken as a submission alone`);
    }
  });

  test(`${MUTATIONS_OF_CONTENT} mutations`, () =>
    withRandom(async (random) => {
      let taken = 0;
      for (const bytes of mutations(random, [...own, ...full, ...ofCorpus()], MUTATIONS_OF_CONTENT))
        if (await agreesOnContent(bytes, () => textOf(bytes))) taken += 1;
      assert.ok((100 * taken) / MUTATIONS_OF_CONTENT > LEAST_TAKEN, `it took ${taken}`);
    }));

  test('whatever blanks and comments stand between elements', async () => {
    const blanks = ['', ' ', '\n  ', '\r\n', ' '.repeat(301), ' \r\n'.repeat(200), '\t'.repeat(1000), ' <!-- a --> '];
    const address = (blank: string) =>
      ['', '<cbc:StreetName>Прва 1</cbc:StreetName>', '<cbc:CityName>Битола</cbc:CityName>', ''].join(blank);
    for (const one of blanks) {
      for (const other of blanks) {
        const location = `<cac:DeliveryLocation><cac:Address>${address(other)}</cac:Address></cac:DeliveryLocation>`;
        const delivery = `<cac:Delivery><cac:DeliveryAddress>${address(one)}</cac:DeliveryAddress>${one}${location}</cac:Delivery>`;
        const xml = sampleInvoice().replace('<cac:PaymentMeans>', `${delivery}$&`);
        assert.ok(await agreesOnContent(bytesOf(xml), () => JSON.stringify([one, other])));
      }
    }
  });
});

test('no name that the scanner takes identifies a tenant', () => {
  for (const { localName, content } of readContentModels(readSchemaFiles())) {
    assert.ok(!isTenantField(localName), localName);
    if (content.kind !== 'value') continue;
    for (const { name } of content.attributes) assert.ok(!isTenantField(name), name);
  }
});

function beginOf(xml: string): string {
  return xml.slice(0, 200);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** Of documents that the scanner takes. */
function* mutations(random: Random, documents: readonly string[], count: number): Generator<Uint8Array<ArrayBuffer>> {
  const sources = documents
    .filter((xml) => scan(bytesOf(xml)) !== null)
    .map((xml) => ({ bytes: bytesOf(xml), outline: outlineXml(xml) }));
  const draw = drawByLength(sources.map(({ bytes }) => bytes.length));
  for (let run = 0; run < count; run += 1) {
    const source = sources[draw(random)];
    assert.ok(source !== undefined);
    yield random() < 0.3 ? bytesOf(mutateOutlined(random, source.outline).xml) : mutateBytes(random, source.bytes);
  }
}

/** Draws places of a list. A change in a long document shows what it shows in a short one, so all of them get the same processor time. */
function drawByLength(lengths: readonly number[]): (random: Random) => number {
  let sum = 0;
  const ends = lengths.map((length) => (sum += 1 / length));
  return (random) => {
    const at = random() * sum;
    return ends.findIndex((end) => at < end);
  };
}

/** Documents of other makers, where the corpus is at hand. */
function ofCorpus(): readonly string[] {
  if (corpusMissing !== false) return [];
  const documents = corpusRows().map((row) => corpusBytes(row));
  return documents.filter(({ length }) => length <= MOST_CORPUS_BYTES).map((bytes) => new TextDecoder().decode(bytes));
}
