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
const LIKE_A_FINDER = ['10111010000', '00001011101'];

/** How hard the symbol is to read, as the standard counts it: long runs, blocks, false finder patterns, too much of one colour. */
function penaltyOf(rows: QrCode): number {
  const columns = rows.map((_, column) => rows.map((row) => row[column] ?? false));
  const lines = [...rows, ...columns].map((line) => line.map((isDark) => (isDark ? '1' : '0')).join(''));
  const inLines = lines.reduce((total, line) => total + penaltyOfLine(line), 0);
  return inLines + penaltyOfBlocks(rows) + penaltyOfBalance(rows);
}

function penaltyOfLine(line: string): number {
  const runs = line.match(/0{5,}|1{5,}/gu) ?? [];
  const finders = LIKE_A_FINDER.reduce((total, pattern) => total + occurrences(line, pattern), 0);
  return runs.reduce((total, { length }) => total + length - 2, 0) + 40 * finders;
}

function occurrences(line: string, pattern: string): number {
  let count = 0;
  for (let at = line.indexOf(pattern); at !== -1; at = line.indexOf(pattern, at + 1)) count += 1;
  return count;
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
