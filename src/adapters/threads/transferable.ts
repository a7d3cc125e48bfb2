import { isMarkedAsUntransferable } from 'node:worker_threads';

/** The same bytes if they own their whole buffer, which can then be transferred; a copy if they share it, as small ones often do. */
export function transferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return ownsBuffer(bytes) ? bytes : new Uint8Array(bytes);
}

function ownsBuffer(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && !isMarkedAsUntransferable(buffer);
}
