/** An ASN.1 value in DER. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

export function sequence(...members: readonly Uint8Array[]): Buffer {
  return der(0x30, ...members);
}

/** DER sorts the members of a set by their encodings. */
export function setOf(...members: readonly Buffer[]): Buffer {
  return der(0x31, ...members.toSorted(Buffer.compare));
}

export function integer(bigEndian: Uint8Array): Buffer {
  const isNegative = ((bigEndian[0] ?? 0) & 0x80) !== 0;
  return isNegative ? der(0x02, Buffer.from([0]), bigEndian) : der(0x02, bigEndian);
}

export function octets(content: Uint8Array): Buffer {
  return der(0x04, content);
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** In UTC, to the second. */
export function generalizedTime(moment: Date): Buffer {
  return der(0x18, Buffer.from(moment.toISOString().replaceAll(/[-:T]|\.\d+/gu, '')));
}

export function explicit(tagNumber: number, content: Uint8Array): Buffer {
  return der(0xa0 + tagNumber, content);
}

function base128(arc: number): readonly number[] {
  const digits = [arc & 0x7f];
  for (let rest = arc >>> 7; rest > 0; rest >>>= 7) digits.unshift(0x80 | (rest & 0x7f));
  return digits;
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const hex = length.toString(16);
  const digits = [...Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')];
  return [0x80 | digits.length, ...digits];
}
