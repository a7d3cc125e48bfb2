/** The first piece of memory for a body, as large as most documents. */
const FIRST_BYTES = 65_536;

/** Collects a body in one buffer that grows with what has arrived, not with what was announced, and at most doubles. */
export type GrowingBuffer = {
  readonly length: () => number;
  readonly add: (chunk: Uint8Array) => void;
  /** All of it, in memory of its own, so that it can be transferred to another thread. */
  readonly bytes: () => Uint8Array<ArrayBuffer>;
};

export function createGrowingBuffer(announcedBytes: number | null): GrowingBuffer {
  let buffer = unpooledBuffer(0);
  let length = 0;

  function grow(needed: number): void {
    const doubled = Math.max(needed, FIRST_BYTES, 2 * buffer.length);
    const larger = unpooledBuffer(
      announcedBytes === null ? doubled : Math.min(doubled, Math.max(needed, announcedBytes)),
    );
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  }

  return {
    length: () => length,
    add(chunk) {
      if (length + chunk.length > buffer.length) grow(length + chunk.length);
      buffer.set(chunk, length);
      length += chunk.length;
    },
    bytes: () => (length === buffer.length ? buffer : buffer.slice(0, length)),
  };
}

/** Uninitialised: only bytes that were written are ever read. */
function unpooledBuffer(length: number): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset } = Buffer.allocUnsafeSlow(length);
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
}
