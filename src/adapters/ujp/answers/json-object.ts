export type JsonObject = { readonly [member: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The authority's document has five. */
const MOST_LEVELS = 100;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** What brackets and braces change, by their bytes: answers have millions of bytes, of which a map takes twice as long. */
const DEEPER = new Int8Array(256);
for (const opening of Buffer.from('[{')) DEEPER[opening] = 1;
for (const closing of Buffer.from(']}')) DEEPER[closing] = -1;

/** Whether objects and lists are nested within the limit. Of what is no JSON it may say anything. */
export function isFlat(bytes: Uint8Array): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length && depth <= MOST_LEVELS; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) isText = !isText;
    else if (!isText) depth += DEEPER[byte] ?? 0;
    else if (byte === BACKSLASH) at += 1;
  }
  return depth <= MOST_LEVELS;
}

/**
 * The value of a JSON text; undefined, which JSON has not, where it is none, or nested too deeply: that takes forty times its size, and the stack of
 * whoever writes it again.
 */
export function parseFlatJson(text: string): unknown {
  if (!isFlat(Buffer.from(text))) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
