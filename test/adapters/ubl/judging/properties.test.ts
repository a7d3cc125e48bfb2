import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { XmlDocument, XmlError } from 'libxml2-wasm';
import { compileUblSchemas } from '../../../../src/adapters/ubl/judging/compile-schemas.ts';
import { decimalText } from '../../../../src/adapters/ubl/judging/decimal-text.ts';
import { offsetOf, positionOf } from '../../../../src/adapters/ubl/xml/text-position.ts';
import { anyCharacters, fc, seededRandom } from '../../../support/seeds.ts';
import { mutateUbl } from '../../../support/ubl-mutations.ts';
import { PDF_ATTACHMENT, sampleCreditNote, sampleInvoice } from '../../../support/ubl-samples.ts';
import { judge } from './judging.ts';

const CODES = /^ERR-(?:1007|2001|2002|2003|2004|2005|2006|2011)$/u;
const SLOWEST_MS = 2000;

const numRuns = process.env['TEST_LONG'] === '1' ? 20_000 : 500;
const settings = { numRuns };

const samples = [
  sampleInvoice(),
  sampleCreditNote(),
  sampleInvoice({ attachments: [PDF_ATTACHMENT], extension: '<a xmlns="urn:x" b="c">d<e/></a>' }),
];
const sources = [...samples, ...corpusDocuments()];

/** Documents of other makers, of ordinary size and in UTF-8, where the corpus is at hand. */
function corpusDocuments(): string[] {
  const folder = fileURLToPath(new URL('../../../../../shared/corpus/positive/', import.meta.url));
  if (!existsSync(folder)) return [];
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
  return texts.filter((text) => text.length < 30_000 && isUtf8(text)).map((text) => text.toString());
}
const schemas = compileUblSchemas();

/** The promise to whoever sends a document: one of the catalogue's answers, soon, with a detail of bounded length. */
function answers(document: Uint8Array): ReturnType<typeof judge> {
  const start = process.threadCpuUsage();
  const judgement = judge(document);
  const { user, system } = process.threadCpuUsage(start);
  assert.ok(user + system < 1_000 * SLOWEST_MS);
  if (judgement.outcome === 'document') return judgement;
  assert.match(judgement.code, CODES);
  assert.ok(judgement.detail.length > 0 && judgement.detail.length <= 2000);
  assert.doesNotMatch(judgement.detail, /[\p{Cc}\p{Cs}]/u);
  // The scan before the parser and the parser must never see different documents.
  assert.doesNotMatch(judgement.detail, /could not be followed/u);
  return judgement;
}

function isValid(xml: string, kind: 'Invoice' | 'CreditNote'): boolean {
  try {
    using document = XmlDocument.fromString(xml);
    schemas[kind].validate(document);
    return true;
  } catch (error) {
    if (error instanceof XmlError) return false;
    throw error;
  }
}

describe('there is an answer from the catalogue to', () => {
  test('any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        answers(bytes);
      }),
      settings,
    );
  });

  test('any heap of markup', () => {
    const piece = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom(
          '<a>',
          '</a>',
          '<a/>',
          '<a b="',
          '"',
          "'",
          '>',
          '<',
          '&',
          '&amp;',
          '&#65;',
          ' ',
          '\n',
          '=',
        ),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          '<!--',
          '-->',
          '<![CDATA[',
          ']]>',
          '<?p ',
          '?>',
          '<?xml version="1.0"?>',
          '\u{FEFF}',
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '<!DOCTYPE a>',
          '<!DOCTYPE a [',
          ']',
          '<!ENTITY x "y">',
          'xmlns:x="urn:x"',
          '<x:a ',
          '\0',
          'ж',
          '😀',
        ),
      },
      { weight: 1, arbitrary: fc.constantFrom(...samples) },
      { weight: 1, arbitrary: anyCharacters({ maxLength: 4 }) },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        answers(Buffer.from(pieces.join('')));
      }),
      settings,
    );
  });

  test('a document with any bytes overwritten, inserted or cut', () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      removed: fc.nat(40),
      inserted: fc.oneof(
        fc.uint8Array({ maxLength: 6 }),
        fc
          .constantFrom('<', '>', '&', '"', '</', '/>', '<!--', ']]>', '\0', '\u{FEFF}', 'tenant')
          .map((text) => Buffer.from(text)),
      ),
    });
    fc.assert(
      fc.property(fc.constantFrom(...sources), fc.array(change, { minLength: 1, maxLength: 4 }), (sample, changes) => {
        let bytes = Buffer.from(sample);
        for (const { at, removed, inserted } of changes) {
          const start = Math.floor(at * bytes.length);
          bytes = Buffer.concat([bytes.subarray(0, start), inserted, bytes.subarray(start + removed)]);
        }
        answers(bytes);
      }),
      settings,
    );
  });

  test('a document with its structure changed, and what is accepted is valid', () => {
    fc.assert(
      fc.property(fc.constantFrom(...sources), fc.integer(), fc.integer({ min: 1, max: 3 }), (sample, start, times) => {
        const random = seededRandom(start);
        let xml = sample;
        for (let time = 0; time < times; time += 1) xml = mutateUbl(random, xml).xml;
        const judgement = answers(Buffer.from(xml));
        const kind = sample.includes('xsd:CreditNote-2') ? 'CreditNote' : 'Invoice';
        if (judgement.outcome === 'document') assert.ok(isValid(xml, kind));
        else if (judgement.code === 'ERR-2002' && !/UBL version/u.test(judgement.detail))
          assert.ok(!isValid(xml, kind));
      }),
      settings,
    );
  });
});

test('a decimal keeps its value and every digit', () => {
  const digits = fc.stringMatching(/^\d{0,12}$/u);
  fc.assert(
    fc.property(fc.constantFrom('', '+', '-'), digits, fc.option(digits), (sign, whole, fraction) => {
      fc.pre(whole !== '' || (fraction ?? '') !== '');
      const written = `${sign}${whole}${fraction === null ? '' : `.${fraction}`}`;
      const plain = decimalText(` ${written}\n`) ?? '';
      assert.match(plain, /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u);
      assert.equal(Number(plain) || 0, Number(written.endsWith('.') ? `${written}0` : written) || 0);
      assert.equal(plain.split('.')[1] ?? '', fraction ?? '');
    }),
    settings,
  );
});

test('a position in a text leads back to its offset', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', '\n', 'ж', '😀', '\r\n'), { minLength: 1 }), fc.nat(), (pieces, at) => {
      const text = Buffer.from(pieces.join(''));
      const characters = [...pieces.join('')];
      const offset = Buffer.byteLength(characters.slice(0, at % characters.length).join(''));
      const { line, column } = positionOf(text, offset);
      assert.equal(offsetOf(text, line, column), offset);
    }),
    settings,
  );
});
