import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { correctionCodewords } from '../../../src/domain/qr-code/error-correction.ts';
import { qrCode } from '../../../src/domain/qr-code/qr-code.ts';
import { fc } from '../../support/seeds.ts';
import { readQrCode } from './read-qr-code.ts';

const LONGEST_BYTES = 213;

function read(text: string) {
  const code = qrCode(new TextEncoder().encode(text)) ?? assert.fail(text);
  return { code, ...readQrCode(code) };
}

suite('a QR code', () => {
  test('holds its text, with correction codewords that fit, whatever the text', () => {
    const texts = fc.string({ maxLength: LONGEST_BYTES, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(texts, (text) => {
        const found = read(text);
        assert.deepEqual([found.text, found.syndromes], [text, []]);
        assert.ok(found.mask >= 0);
      }),
      { numRuns: process.env['TEST_LONG'] === undefined ? 100 : 2_000 },
    );
  });

  test('has the smallest size that its bytes fit into, and none beyond the largest', () => {
    const versions = [14, 15, 26, 42, 62, 84, 106, 122, 152, 180, 213].map(
      (length) => read('x'.repeat(length)).version,
    );
    assert.deepEqual(versions, [1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.equal(qrCode(new Uint8Array(LONGEST_BYTES + 1)), null);
  });

  test('has the correction codewords of the example of the standard (ISO/IEC 18004, annex I)', () => {
    const data = [0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11];
    const correction = [0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55];
    assert.deepEqual(correctionCodewords(data, correction.length), correction);
  });

  test('has finder patterns in three corners, timing between them, and its version where it must be stated', () => {
    const { code } = read('x'.repeat(122));
    const line = (cells: readonly (boolean | undefined)[]) => cells.map((one) => (one === true ? '1' : '0')).join('');
    const last = code.length - 1;
    for (const row of [0, 6, last - 6, last]) assert.equal(line(code[row]?.slice(0, 7) ?? []), '1111111');
    assert.equal(line(code[0]?.slice(-7) ?? []), '1111111');
    assert.equal(line(code[3]?.slice(0, 8) ?? []), '10111010');
    assert.equal(line(code[6]?.slice(8, -8) ?? []), '10'.repeat(15).slice(0, code.length - 16));
    // Version 7 with its protection: 000111110010010100, the least significant bit first.
    const stated = Array.from(
      { length: 18 },
      (_, index) => code[Math.floor(index / 3)]?.[code.length - 11 + (index % 3)],
    );
    assert.equal(line(stated.toReversed()), '000111110010010100');
  });
});
