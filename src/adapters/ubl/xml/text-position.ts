const LINE_FEED = 0x0a;

/** Line and column, from one, of a byte offset in UTF-8 text; the column counts characters, not bytes. */
export function positionOf(utf8: Buffer, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = utf8.indexOf(LINE_FEED); at !== -1 && at < offset; at = utf8.indexOf(LINE_FEED, at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  let column = 1;
  for (let at = lineStart; at < offset; at += 1) if (startsCharacter(utf8[at])) column += 1;
  return { line, column };
}

/** The byte offset of a line and column; the end of the text if it has no such position. */
export function offsetOf(utf8: Buffer, line: number, column: number): number {
  let at = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const end = utf8.indexOf(LINE_FEED, at);
    if (end === -1) return utf8.length;
    at = end + 1;
  }
  let left = column;
  for (; at < utf8.length; at += 1) {
    if (startsCharacter(utf8[at])) left -= 1;
    if (left === 0) return at;
  }
  return utf8.length;
}

function startsCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) !== 0x80;
}
