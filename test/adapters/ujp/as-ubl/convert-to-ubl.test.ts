import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { convertToUbl } from '../../../../src/adapters/ujp/as-ubl/convert-to-ubl.ts';
import { voidPayload } from '../../../../src/adapters/ujp/voiding/void-payload.ts';
import { inEnglish } from '../../../../src/domain/messages/render.ts';
import { PUBLISHED_EXAMPLES, publishedExample } from '../../../simulator/published-examples.ts';
import { type Json, sampleDocument } from '../../../simulator/sample-document.ts';
import { anyCharacters, fc } from '../../../support/seeds.ts';
import { outcomeOn } from '../../ubl/judging/judging.ts';
import { converted, invoice } from '../conversion/sample-content.ts';
import { filledPayload } from './filled-payload.ts';
import { asUbl } from './round-trip.ts';

const numRuns = process.env['TEST_LONG'] === '1' ? 5_000 : 100;
const { payload: PAYLOAD } = converted(invoice());

function changed(part: string, members: Json): Json {
  const document = structuredClone(PAYLOAD.document) as unknown as Json;
  return { document: { ...document, [part]: { ...(document[part] as Json), ...members } } };
}

function conversionOf(payload: unknown): { readonly xml: string; readonly leftOut: number } {
  const conversion = convertToUbl(Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)));
  assert.ok(conversion.outcome === 'converted', JSON.stringify(conversion));
  const xml = new TextDecoder().decode(conversion.bytes);
  return { xml, leftOut: conversion.leftOut };
}

function refusalOf(bytes: string | Uint8Array): string {
  const conversion = convertToUbl(Buffer.from(bytes));
  assert.ok(conversion.outcome === 'refused');
  return inEnglish(conversion.reason);
}

describe("the authority's document as UBL", () => {
  test('is valid for what the authority has published', () => {
    for (const name of Object.keys(PUBLISHED_EXAMPLES)) asUbl(JSON.stringify({ document: publishedExample(name) }));
    asUbl(JSON.stringify({ document: sampleDocument() }));
  });

  test('says what it has no element for in references that name the member', () => {
    const stated = { docHeader: 'горе', docFooter: 'a <b> & "c"', docIndicator: 'X' };
    const xml = asUbl(JSON.stringify(changed('header', stated)));
    for (const [name, value] of Object.entries(stated)) {
      const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      assert.match(xml, new RegExp(`schemeID="UJP:member">header/${name}</cbc:ID>`, 'u'));
      assert.ok(xml.includes(`<cbc:DocumentDescription>${text}</cbc:DocumentDescription>`), text);
    }
  });

  test('says every member of the schema somewhere', () => {
    const { payload, values } = filledPayload();
    const { xml, leftOut } = conversionOf(payload);
    const isSaid = (value: string) =>
      new RegExp(`[>": ]${value.replaceAll(/[{}.]/gu, String.raw`\$&`)}0?[<" ]`, 'u').test(xml);
    assert.deepEqual(
      [...values].filter(([, value]) => !isSaid(value)),
      [],
    );
    assert.ok(values.size > 80);
    assert.equal(leftOut, 0);
    // The buyer's tax number is no number; what is judged of the form comes after that.
    assert.equal(outcomeOn(xml.replace(/<cac:PartyIdentification>.*?<\/cac:PartyIdentification>/gsu, '')), 'document');
  });

  test('keeps members that the schema does not know', () => {
    const { xml, leftOut } = conversionOf({ ...PAYLOAD, further: { of: [1.1, 'x'] } });
    assert.ok(xml.includes('>further</cbc:ID>') && xml.includes('{"of":[1.1,"x"]}'));
    assert.equal(leftOut, 0);
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`m--${index}`, index]));
    const much = conversionOf({ ...PAYLOAD, ...many });
    assert.equal(much.leftOut, 100);
    assert.match(much.xml, /<!-- Left out members: 100, among them m‐‐500, /u);
    assert.equal(outcomeOn(much.xml), 'document');
  });

  test('replaces what XML cannot hold, and says so', () => {
    const { xml, leftOut } = conversionOf(changed('header', { docNotes: 'a\u0000b\ud800c' }));
    assert.ok(xml.includes('<cbc:Note>a\ufffdb\ufffdc</cbc:Note>'));
    assert.equal(leftOut, 2);
    assert.match(xml, /<!-- Characters that XML cannot hold, replaced by U\+FFFD: 2\. -->/u);
    assert.equal(outcomeOn(xml), 'document');
  });

  test('has amounts to the last digit, however they are written', () => {
    const text = JSON.stringify(changed('docTotals', { docFinalAmount: 'AMOUNT' }));
    const amounts = {
      '123456789012345678.25': '123456789012345678.25',
      '1.5e2': '150.00',
      '25E-4': '0.0025',
      '-0.10': '-0.10',
    };
    for (const [written, stated] of Object.entries(amounts)) {
      const { xml } = conversionOf(text.replace('"AMOUNT"', written));
      assert.ok(xml.includes(`<cbc:PayableAmount currencyID="MKD">${stated}</cbc:PayableAmount>`), xml);
    }
  });

  test('of a void has its negative amounts, the document that it voids, and that it is one', () => {
    const euid = '0199f2a0-7b1c-7def-8123-456789abcdef';
    const xml = asUbl(
      JSON.stringify(
        voidPayload(PAYLOAD, {
          docId: 'v',
          docNumber: '1-ST',
          reference: { docTypeRef: 'ST', docNameRef: 'Сторно', docDateRef: '2026-11-02', docNumberRef: euid },
          voidReason: { voidCode: 'S-1', voidReason: 'Грешка', voidComment: 'двапати' },
        }),
      ),
    );
    assert.ok(xml.includes(`<cbc:UUID>${euid}</cbc:UUID>`));
    assert.ok(xml.includes('schemeID="UJP:member">header/docStorno</cbc:ID>'));
    assert.ok(xml.includes('<cbc:ID schemeID="UJP:voidReason">S-1</cbc:ID>'));
    assert.match(xml, /<cbc:InvoicedQuantity unitCode="C62">-1</u);
    assert.match(xml, /<cbc:PayableAmount currencyID="MKD">-118\.00</u);
  });

  test('is the same bytes each time', () => {
    assert.equal(asUbl(JSON.stringify(PAYLOAD)), asUbl(JSON.stringify(PAYLOAD)));
  });

  test('is not made of anything else, and says why', () => {
    assert.match(refusalOf('%PDF-1.7'), /not JSON/u);
    assert.match(refusalOf(Uint8Array.of(0xff, 0xfe)), /not JSON/u);
    assert.match(refusalOf('['.repeat(200_000)), /not JSON/u);
    assert.match(refusalOf(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`), /not JSON|document is not there/u);
    assert.match(refusalOf('[]'), /: \/ is not an object/u);
    assert.match(refusalOf(JSON.stringify(PAYLOAD.document)), /document is not there or is empty/u);
    assert.match(
      refusalOf(JSON.stringify(changed('header', { docDate: '2.11.2026' }))),
      /document\/header\/docDate is not a date/u,
    );
    const long = JSON.stringify(changed('docTotals', { docNetAmount: 'N' })).replace('"N"', `1${'0'.repeat(40)}`);
    assert.match(refusalOf(long), /docTotals\/docNetAmount is not a number/u);
    assert.match(refusalOf(long.replace(`1${'0'.repeat(40)}`, '1e999')), /docTotals\/docNetAmount is not a number/u);
  });

  test('is well-formed and valid whatever characters a document has', () => {
    fc.assert(
      fc.property(anyCharacters({ minLength: 1, maxLength: 30 }), (text) => {
        const { document } = changed('header', {
          docNotes: text,
          docNumber: `N${text}`,
          docTypeName: text,
          docFooter: text,
        });
        const items = PAYLOAD.document.docItems.map((item) => ({ ...item, docItemDesc: text, docItemMUnit: text }));
        const named = { ...(document as Json), docItems: items, buyer: { ...PAYLOAD.document.buyer, buyerName: text } };
        const { xml } = conversionOf({ document: named });
        assert.ok(['document', 'ERR-2003'].includes(outcomeOn(xml)), xml);
      }),
      { numRuns },
    );
  });
});
