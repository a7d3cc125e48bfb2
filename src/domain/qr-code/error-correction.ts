/** Arithmetic of the field GF(2^8) with the polynomial that ISO/IEC 18004 prescribes. */
const POLYNOMIAL = 0x11d;
const FIELD = 256;

export function multiplyInField(left: number, right: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * POLYNOMIAL);
    product ^= ((right >>> bit) & 1) * left;
  }
  return product % FIELD;
}

/** The codewords that a reader corrects damaged ones with: the remainder of a division (Reed-Solomon). */
export function correctionCodewords(data: readonly number[], count: number): readonly number[] {
  const divisor = generator(count);
  const remainder: number[] = Array.from({ length: count }, () => 0);
  for (const codeword of data) {
    const factor = codeword ^ (remainder.shift() ?? 0);
    remainder.push(0);
    for (const [index, coefficient] of divisor.entries()) {
      remainder[index] = (remainder[index] ?? 0) ^ multiplyInField(coefficient, factor);
    }
  }
  return remainder;
}

/** The coefficients of (x - 2^0)(x - 2^1)…, without the leading one. */
function generator(degree: number): readonly number[] {
  const coefficients: number[] = Array.from({ length: degree }, (_, index) => (index === degree - 1 ? 1 : 0));
  let root = 1;
  for (let factor = 0; factor < degree; factor += 1) {
    for (let index = 0; index < degree; index += 1) {
      coefficients[index] = multiplyInField(coefficients[index] ?? 0, root) ^ (coefficients[index + 1] ?? 0);
    }
    root = multiplyInField(root, 2);
  }
  return coefficients;
}
