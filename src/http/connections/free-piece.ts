/**
 * Gives the memory of a piece of a body back, where nothing else lies in it. The pieces are small for the heap and large outside of it:
 * left to the garbage collector, those of many large bodies took as much memory as the bodies.
 */
export function freePiece({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
