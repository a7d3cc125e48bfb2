import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { getHeapStatistics } from 'node:v8';
import { isAuthorityDocument } from '../../../../src/adapters/ujp/as-ubl/convert-to-ubl.ts';
import { parseExactJson } from '../../../../src/adapters/ujp/document-schema/exact-json.ts';

const MIB = 1_048_576;
const BLANKS = [' ', '\t', '\n', '\r'];
const RESTS = ['', '}', ']', '"', '1', '.5', 'rue', 'alse', 'ull', '{}', '[1]', '"a"', ' '];

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** What a collection of young objects leaves: it frees all but what V8 itself keeps. */
function keptMiB(collect: NonNullable<typeof gc>): number {
  for (let time = 0; time < 2; time += 1) collect({ type: 'minor', execution: 'sync' });
  return getHeapStatistics().used_heap_size / MIB;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('JSON that is read exactly', () => {
  test('is whatever JSON.parse takes, however it begins', () => {
    const starts = ['', ...BLANKS, ...Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code))];
    const texts = starts.flatMap((start) => RESTS.flatMap((rest) => [`${start}${rest}`, `\n \t\r${start}${rest} `]));
    const wrong = texts.filter((text) => (parseExactJson(bytesOf(text)) !== null) !== isJson(text));
    assert.deepEqual(wrong, []);
  });

  test('is not nested more deeply than can be written again', () => {
    const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}"]}[{\\""${'}]'.repeat(depth / 2)}`;
    assert.ok(parseExactJson(bytesOf(nested(100))) !== null);
    for (const depth of [102, 2_000, 2_200, 2_400, 9_000, 100_000, 2_000_000]) {
      assert.equal(parseExactJson(bytesOf(nested(depth))), null, `${depth} levels`);
      assert.equal(isAuthorityDocument(bytesOf(`{"z":${nested(depth)}}`)), false);
    }
    const flat = `[${'{"a":["]]}}[[{{"]},'.repeat(1_000)}1]`;
    assert.ok(parseExactJson(bytesOf(flat)) !== null);
  });

  test('may begin with one byte order mark', () => {
    assert.deepEqual(parseExactJson(bytesOf('\u{feff} {"a":"b"}')), { value: { a: 'b' } });
    assert.equal(parseExactJson(bytesOf('\u{feff}\u{feff}{}')), null);
    assert.equal(parseExactJson(bytesOf(' \u{feff}{}')), null);
    assert.equal(parseExactJson(bytesOf('\u{feff}')), null);
    assert.equal(parseExactJson(Uint8Array.of(0xef, 0xbb)), null);
  });

  test('leaves nothing of other files in memory', (t) => {
    if (typeof gc !== 'function') return t.skip('Node was started without the flags of the service.');
    const xml = bytesOf(`<?xml version="1.0"?>${'<Име>вредност</Име>'.repeat(400)}`);
    const before = keptMiB(gc);
    for (let count = 0; count < 1_000; count += 1) assert.equal(parseExactJson(xml), null);
    // As texts they are 15 MiB.
    const grown = keptMiB(gc) - before;
    assert.ok(grown < 4, `${grown.toFixed(1)} MiB`);
  });
});
