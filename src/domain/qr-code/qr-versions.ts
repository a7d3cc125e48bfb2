/** A size of the symbol, with the error correction of level M: 15 % of it may be damaged, as on a creased printout. */
export type QrVersion = {
  readonly version: number;
  /** All codewords, those of data and those of correction. */
  readonly codewords: number;
  readonly blocks: number;
  readonly correctionPerBlock: number;
  /** Centres of the alignment patterns, in both directions. */
  readonly alignment: readonly number[];
};

/** ISO/IEC 18004, tables 1, 9 and E.1, as far as web addresses need them: up to 213 bytes. */
export const QR_VERSIONS: readonly QrVersion[] = [
  { version: 1, codewords: 26, blocks: 1, correctionPerBlock: 10, alignment: [] },
  { version: 2, codewords: 44, blocks: 1, correctionPerBlock: 16, alignment: [6, 18] },
  { version: 3, codewords: 70, blocks: 1, correctionPerBlock: 26, alignment: [6, 22] },
  { version: 4, codewords: 100, blocks: 2, correctionPerBlock: 18, alignment: [6, 26] },
  { version: 5, codewords: 134, blocks: 2, correctionPerBlock: 24, alignment: [6, 30] },
  { version: 6, codewords: 172, blocks: 4, correctionPerBlock: 16, alignment: [6, 34] },
  { version: 7, codewords: 196, blocks: 4, correctionPerBlock: 18, alignment: [6, 22, 38] },
  { version: 8, codewords: 242, blocks: 4, correctionPerBlock: 22, alignment: [6, 24, 42] },
  { version: 9, codewords: 292, blocks: 5, correctionPerBlock: 22, alignment: [6, 26, 46] },
  { version: 10, codewords: 346, blocks: 5, correctionPerBlock: 26, alignment: [6, 28, 50] },
];

export function sizeOf({ version }: QrVersion): number {
  return 17 + 4 * version;
}

export function dataCodewords({ codewords, blocks, correctionPerBlock }: QrVersion): number {
  return codewords - blocks * correctionPerBlock;
}
