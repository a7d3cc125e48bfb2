import { type QrVersion, sizeOf } from './qr-versions.ts';

const FORMAT_GENERATOR = 0x537;
const FORMAT_MASK = 0x5412;
const VERSION_GENERATOR = 0x1f25;
/** The indicator of level M. */
const LEVEL = 0b00;
const VERSION_STATED_FROM = 7;

/** Conditions under which data modules are inverted, so that the symbol has no large areas of one colour. */
export const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** A symbol that is being drawn: dark modules, and those that belong to a pattern and hold no data. */
export class QrSymbol {
  readonly size: number;
  readonly dark: boolean[][];
  readonly #version: QrVersion;
  readonly #isPattern: boolean[][];

  constructor(version: QrVersion) {
    this.#version = version;
    this.size = sizeOf(version);
    this.dark = emptyGrid(this.size);
    this.#isPattern = emptyGrid(this.size);
    this.#drawTiming();
    this.#drawFinders();
    this.#drawAlignment();
    this.drawFormat(0);
    this.#drawVersion();
  }

  drawData(codewords: readonly number[]): void {
    for (const [bit, [row, column]] of this.#dataModules().entries()) {
      this.#paint(row, column, (((codewords[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1);
    }
  }

  /** In two-module columns from right to left, upwards and downwards in turn, around the patterns. */
  #dataModules(): readonly (readonly [number, number])[] {
    const modules: (readonly [number, number])[] = [];
    for (let right = this.size - 1; right >= 1; right -= right === 8 ? 3 : 2) {
      const isUpward = ((right + 1) & 2) === 0;
      for (let step = 0; step < this.size; step += 1) {
        const row = isUpward ? this.size - 1 - step : step;
        modules.push([row, right], [row, right - 1]);
      }
    }
    return modules.filter(([row, column]) => !this.isPattern(row, column));
  }

  isPattern(row: number, column: number): boolean {
    return this.#isPattern[row]?.[column] === true;
  }

  /** Twice with the same mask leaves the symbol as it was. */
  applyMask(mask: number): void {
    const inverts = MASKS[mask];
    for (const [row, modules] of this.dark.entries()) {
      for (const [column, isDark] of modules.entries()) {
        if (inverts?.(row, column) === true && !this.isPattern(row, column)) modules[column] = !isDark;
      }
    }
  }

  /** Level and mask, protected by a code of their own, beside the finder patterns, twice. */
  drawFormat(mask: number): void {
    const data = (LEVEL << 3) | mask;
    const bits = ((data << 10) | remainder(data, 10, FORMAT_GENERATOR)) ^ FORMAT_MASK;
    const isOne = (index: number) => ((bits >>> index) & 1) === 1;
    const last = this.size - 1;
    for (let index = 0; index < 15; index += 1) {
      const nearCorner = index < 6 ? index : index < 8 ? index + 1 : 15 - index;
      if (index < 8) this.#pattern(nearCorner, 8, isOne(index));
      else this.#pattern(8, index === 8 ? 7 : nearCorner - 1, isOne(index));
      if (index < 8) this.#pattern(8, last - index, isOne(index));
      else this.#pattern(this.size - 15 + index, 8, isOne(index));
    }
    this.#pattern(this.size - 8, 8, true);
  }

  #drawTiming(): void {
    for (let index = 0; index < this.size; index += 1) {
      this.#pattern(6, index, index % 2 === 0);
      this.#pattern(index, 6, index % 2 === 0);
    }
  }

  #drawFinders(): void {
    const far = this.size - 4;
    for (const [row, column] of [
      [3, 3],
      [3, far],
      [far, 3],
    ] as const) {
      this.#squares(row, column, 4, (distance) => distance !== 2 && distance !== 4);
    }
  }

  #drawAlignment(): void {
    const { alignment } = this.#version;
    const last = alignment.length - 1;
    for (const [i, row] of alignment.entries()) {
      for (const [j, column] of alignment.entries()) {
        const isAtFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
        if (!isAtFinder) this.#squares(row, column, 2, (distance) => distance !== 1);
      }
    }
  }

  /** Squares around a centre, dark or not by their distance from it. */
  #squares(row: number, column: number, reach: number, isDark: (distance: number) => boolean): void {
    for (let down = -reach; down <= reach; down += 1) {
      for (let across = -reach; across <= reach; across += 1) {
        this.#pattern(row + down, column + across, isDark(Math.max(Math.abs(down), Math.abs(across))));
      }
    }
  }

  #drawVersion(): void {
    const { version } = this.#version;
    if (version < VERSION_STATED_FROM) return;
    const bits = (version << 12) | remainder(version, 12, VERSION_GENERATOR);
    for (let index = 0; index < 18; index += 1) {
      const [near, far] = [Math.floor(index / 3), this.size - 11 + (index % 3)];
      this.#pattern(near, far, ((bits >>> index) & 1) === 1);
      this.#pattern(far, near, ((bits >>> index) & 1) === 1);
    }
  }

  #pattern(row: number, column: number, isDark: boolean): void {
    const marks = this.#isPattern[row];
    if (marks === undefined || column < 0 || column >= this.size) return;
    marks[column] = true;
    this.#paint(row, column, isDark);
  }

  #paint(row: number, column: number, isDark: boolean): void {
    const modules = this.dark[row];
    if (modules !== undefined) modules[column] = isDark;
  }
}

function emptyGrid(size: number): boolean[][] {
  return Array.from({ length: size }, () => Array.from({ length: size }, () => false));
}

/** Of a division of polynomials over GF(2), by which level, mask and version are protected. */
function remainder(data: number, degree: number, generator: number): number {
  let rest = data;
  for (let step = 0; step < degree; step += 1) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * generator);
  return rest;
}
