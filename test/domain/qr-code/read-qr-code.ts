import { multiplyInField } from '../../../src/domain/qr-code/error-correction.ts';
import type { QrCode } from '../../../src/domain/qr-code/qr-code.ts';
import { dataCodewords, QR_VERSIONS, type QrVersion } from '../../../src/domain/qr-code/qr-versions.ts';
import { MASKS, QrSymbol } from '../../../src/domain/qr-code/symbol.ts';

/** Level and mask as the standard lists them for level M (ISO/IEC 18004, table C.1), by mask. */
export const FORMATS = [
  '101010000010010',
  '101000100100101',
  '101111001111100',
  '101101101001011',
  '100010111111001',
  '100000011001110',
  '100111110010111',
  '100101010100000',
];

export type ReadCode = {
  readonly version: number;
  readonly mask: number;
  readonly text: string;
  /** Those that are not zero: damaged codewords, or wrong ones of correction. */
  readonly syndromes: readonly number[];
};

/** Reads a code from its modules, with its patterns taken as they are and no error corrected. */
export function readQrCode(code: QrCode): ReadCode {
  const version = QR_VERSIONS.find((one) => 17 + 4 * one.version === code.length);
  if (version === undefined) throw new Error(`There is no code of ${code.length} modules.`);
  const mask = FORMATS.indexOf(formatOf(code));
  const blocks = blocksOf(codewordsOf(code, version, mask), version);
  const data = blocks.flatMap((block) => block.slice(0, block.length - version.correctionPerBlock));
  return {
    version: version.version,
    mask,
    text: textOf(data, version),
    syndromes: blocks.flatMap((block) => syndromesOf(block, version.correctionPerBlock)).filter((one) => one !== 0),
  };
}

/** From the first copy, the most significant bit first. */
function formatOf(code: QrCode): string {
  const down = [0, 1, 2, 3, 4, 5, 7, 8].map((row) => code[row]?.[8]);
  const left = [7, 5, 4, 3, 2, 1, 0].map((column) => code[8]?.[column]);
  return [...down, ...left]
    .toReversed()
    .map((isDark) => (isDark === true ? '1' : '0'))
    .join('');
}

function codewordsOf(code: QrCode, version: QrVersion, mask: number): readonly number[] {
  const patterns = new QrSymbol(version);
  const bits: number[] = [];
  let isUpward = true;
  for (let right = code.length - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    const rows = [...code.keys()];
    for (const row of isUpward ? rows.toReversed() : rows) {
      for (const column of [right, right - 1]) {
        if (patterns.isPattern(row, column)) continue;
        bits.push(Number(code[row]?.[column] !== MASKS[mask]?.(row, column)));
      }
    }
    isUpward = !isUpward;
  }
  return Array.from({ length: version.codewords }, (_, index) =>
    Number.parseInt(bits.slice(8 * index, 8 * index + 8).join(''), 2),
  );
}

/** Data and correction of each block. The first blocks are one codeword shorter where they cannot all be the same. */
function blocksOf(codewords: readonly number[], version: QrVersion): readonly (readonly number[])[] {
  const all = dataCodewords(version);
  const short = Math.floor(all / version.blocks);
  const shortBlocks = version.blocks - (all % version.blocks);
  const blocks: number[][] = Array.from({ length: version.blocks }, () => []);
  let at = 0;
  for (let index = 0; index <= short; index += 1) {
    for (const [block, members] of blocks.entries()) {
      if (index === short && block < shortBlocks) continue;
      members.push(codewords[at] ?? -1);
      at += 1;
    }
  }
  for (const [index, codeword] of codewords.slice(all).entries()) blocks[index % version.blocks]?.push(codeword);
  return blocks;
}

/** The value of the polynomial of a block at each root of the generator. */
function syndromesOf(block: readonly number[], count: number): readonly number[] {
  let root = 1;
  return Array.from({ length: count }, () => {
    const value = block.reduce((sum, codeword) => multiplyInField(sum, root) ^ codeword, 0);
    root = multiplyInField(root, 2);
    return value;
  });
}

function textOf(data: readonly number[], { version }: QrVersion): string {
  const bits = data.map((codeword) => codeword.toString(2).padStart(8, '0')).join('');
  const lengthBits = version >= 10 ? 16 : 8;
  if (!bits.startsWith('0100')) throw new Error('The code is not in byte mode.');
  const length = Number.parseInt(bits.slice(4, 4 + lengthBits), 2);
  const start = 4 + lengthBits;
  const bytes = Array.from({ length }, (_, index) =>
    Number.parseInt(bits.slice(start + 8 * index, start + 8 * index + 8), 2),
  );
  return new TextDecoder().decode(new Uint8Array(bytes));
}
