/** The first piece of memory for a body, as large as most documents. */
const FIRST_BYTES = 65_536;

/** Collects a body in one buffer that grows with what has arrived, not with what was announced, and at most doubles. */
export type GrowingBuffer = {
  readonly length: () => number;
  readonly add: (chunk: Uint8Array) => void;
  /** All of it, in memory of its own, so that it can be transferred to another thread. Nothing can be added afterwards. */
  readonly bytes: () => Uint8Array<ArrayBuffer>;
};

/**
 * `mostBytes` is the announced or the greatest allowed length: memory beyond it is never taken in advance. `hold` is told how much
 * memory the body takes, before it is taken, and may throw.
 */
export function createGrowingBuffer(mostBytes: number, hold: (bytes: number) => void): GrowingBuffer {
  let bytes = new Uint8Array(0);
  let length = 0;

  /** `transfer` frees the old memory at once instead of leaving it to the garbage collector, so no two pieces are held for long. */
  function resize(capacity: number): void {
    bytes = new Uint8Array(bytes.buffer.transfer(capacity));
  }

  function grow(needed: number): void {
    const doubled = Math.max(needed, FIRST_BYTES, 2 * bytes.length);
    const capacity = Math.min(doubled, Math.max(needed, mostBytes));
    hold(capacity);
    resize(capacity);
  }

  return {
    length: () => length,
    add(chunk) {
      if (length + chunk.length > bytes.length) grow(length + chunk.length);
      bytes.set(chunk, length);
      length += chunk.length;
    },
    bytes() {
      if (length < bytes.length) {
        resize(length);
        hold(length);
      }
      return bytes;
    },
  };
}
