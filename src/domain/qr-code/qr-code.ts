import { symbolCodewords, versionFor } from './codewords.ts';
import { MASKS, QrSymbol } from './symbol.ts';

/** Rows of modules, true where they are dark. */
export type QrCode = readonly (readonly boolean[])[];

/** The QR code of bytes (ISO/IEC 18004, byte mode, level M); null where they are too long for one that is read from paper. */
export function qrCode(bytes: Uint8Array): QrCode | null {
  const version = versionFor(bytes.length);
  if (version === null) return null;
  const symbol = new QrSymbol(version);
  symbol.drawData(symbolCodewords(bytes, version));
  let best = { mask: 0, penalty: Number.POSITIVE_INFINITY };
  for (const mask of MASKS.keys()) {
    symbol.applyMask(mask);
    symbol.drawFormat(mask);
    const penalty = penaltyOf(symbol.dark);
    if (penalty < best.penalty) best = { mask, penalty };
    symbol.applyMask(mask);
  }
  symbol.applyMask(best.mask);
  symbol.drawFormat(best.mask);
  return symbol.dark;
}

/** What looks like a finder pattern, with its four light modules on either side. */
const LIKE_A_FINDER: ReadonlySet<number> = new Set([0b10111010000, 0b00001011101]);
const FINDER_MODULES = 11;
const FINDER_BITS = 2 ** FINDER_MODULES - 1;

/** How hard the symbol is to read, as the standard counts it: long runs, blocks, false finder patterns, too much of one colour. */
function penaltyOf(rows: QrCode): number {
  let inLines = 0;
  for (let line = 0; line < rows.length; line += 1) {
    inLines += penaltyOfLine(rows.length, (index) => rows[line]?.[index] === true);
    inLines += penaltyOfLine(rows.length, (index) => rows[index]?.[line] === true);
  }
  return inLines + penaltyOfBlocks(rows) + penaltyOfBalance(rows);
}

function penaltyOfLine(length: number, isDarkAt: (index: number) => boolean): number {
  let penalty = 0;
  let run = 0;
  let last = 0;
  for (let index = 0; index < length; index += 1) {
    const isDark = isDarkAt(index);
    run = index > 0 && isDark === ((last & 1) === 1) ? run + 1 : 1;
    if (run === 5) penalty += 3;
    else if (run > 5) penalty += 1;
    last = ((last << 1) | Number(isDark)) & FINDER_BITS;
    if (index >= FINDER_MODULES - 1 && LIKE_A_FINDER.has(last)) penalty += 40;
  }
  return penalty;
}

function penaltyOfBlocks(rows: QrCode): number {
  let blocks = 0;
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1];
    if (next === undefined) break;
    for (let column = 0; column + 1 < row.length; column += 1) {
      const isDark = row[column];
      if (row[column + 1] === isDark && next[column] === isDark && next[column + 1] === isDark) blocks += 1;
    }
  }
  return 3 * blocks;
}

function penaltyOfBalance(rows: QrCode): number {
  const modules = rows.length * rows.length;
  const dark = rows.flat().filter((isDark) => isDark).length;
  return 10 * Math.floor(Math.abs(20 * dark - 10 * modules) / modules);
}
