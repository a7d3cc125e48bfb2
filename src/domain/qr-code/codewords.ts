import { correctionCodewords } from './error-correction.ts';
import { dataCodewords, QR_VERSIONS, type QrVersion } from './qr-versions.ts';

const BYTE_MODE = 0b0100;
const MODE_BITS = 4;
/** What the rest of the data is filled with, in turn. */
const PADDING = [0xec, 0x11];
/** From this version on the length takes two bytes. */
const LONG_LENGTH_FROM = 10;

/** The smallest version that the bytes fit into; null where they fit into none. */
export function versionFor(byteCount: number): QrVersion | null {
  const fits = (version: QrVersion) => MODE_BITS + lengthBits(version) + 8 * byteCount <= 8 * dataCodewords(version);
  return QR_VERSIONS.find(fits) ?? null;
}

function lengthBits({ version }: QrVersion): number {
  return version >= LONG_LENGTH_FROM ? 16 : 8;
}

/** Data and correction of all blocks, in the order in which they stand in the symbol: the first of each block, then the second, … */
export function symbolCodewords(bytes: Uint8Array, version: QrVersion): readonly number[] {
  const data = dataOf(bytes, version);
  const { blocks: count, correctionPerBlock } = version;
  const shortLength = Math.floor(data.length / count);
  const longBlocks = data.length % count;
  const blocks: (readonly number[])[] = [];
  for (let index = 0, start = 0; index < count; index += 1) {
    const end = start + shortLength + (index >= count - longBlocks ? 1 : 0);
    blocks.push(data.slice(start, end));
    start = end;
  }
  return [
    ...interleaved(blocks),
    ...interleaved(blocks.map((block) => correctionCodewords(block, correctionPerBlock))),
  ];
}

function dataOf(bytes: Uint8Array, version: QrVersion): readonly number[] {
  const bits: number[] = [];
  const append = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1);
  };
  append(BYTE_MODE, MODE_BITS);
  append(bytes.length, lengthBits(version));
  for (const byte of bytes) append(byte, 8);
  const capacity = 8 * dataCodewords(version);
  append(0, Math.min(MODE_BITS, capacity - bits.length));
  append(0, (8 - (bits.length % 8)) % 8);
  for (let turn = 0; bits.length < capacity; turn += 1) append(PADDING[turn % PADDING.length] ?? 0, 8);
  return Array.from({ length: capacity / 8 }, (_, index) =>
    bits.slice(8 * index, 8 * index + 8).reduce((byte, bit) => 2 * byte + bit, 0),
  );
}

function interleaved(blocks: readonly (readonly number[])[]): readonly number[] {
  const longest = Math.max(...blocks.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => blocks.flatMap((block) => block[index] ?? [])).flat();
}
