import { isMarkedAsUntransferable } from 'node:worker_threads';

/** Bytes that can change hands with their whole buffer. Those that share one, as small ones often do, are copied. */
export function transferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return ownsBuffer(bytes) ? bytes : new Uint8Array(bytes);
}

function ownsBuffer(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && !isMarkedAsUntransferable(buffer);
}
