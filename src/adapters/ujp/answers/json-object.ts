export type JsonObject = { readonly [member: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The authority's document has five. */
const MOST_LEVELS = 100;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** What brackets and braces change. */
const DEEPER: ReadonlyMap<number | undefined, number> = new Map([
  [0x5b, 1],
  [0x7b, 1],
  [0x5d, -1],
  [0x7d, -1],
]);

/** Whether objects and lists are nested within the limit. Of what is no JSON it may say anything. */
export function isFlat(bytes: Uint8Array): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length && depth <= MOST_LEVELS; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (!isText) depth += DEEPER.get(byte) ?? 0;
    else if (byte === BACKSLASH) at += 1;
  }
  return depth <= MOST_LEVELS;
}
