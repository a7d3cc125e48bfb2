const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const OPENING = Buffer.from('<?');
/** Longer ones are left to the parser. */
const MAX_DECLARATION = 120;
const DECLARATION =
  /^<\?xml[ \t\r\n]+version=(?:"1\.0"|'1\.0')(?:[ \t\r\n]+encoding=(?:"[Uu][Tt][Ff]-8"|'[Uu][Tt][Ff]-8'))?(?:[ \t\r\n]+standalone=(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/u;

/** The offset behind byte order mark and XML declaration of a text in UTF-8, or -1 for any other text. */
export function pastProlog(bytes: Buffer): number {
  const start = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0;
  if (bytes[start] !== OPENING[0] || bytes[start + 1] !== OPENING[1]) return start;
  const declaration = DECLARATION.exec(bytes.toString('latin1', start, start + MAX_DECLARATION));
  return declaration === null ? -1 : start + declaration[0].length;
}
