/** The text that is signed for the authority: the JSON of a request with the time of the request as its first member. */
export function signedText(text: string, requestTimestamp: string): string {
  return `{"requestTimestamp":${JSON.stringify(requestTimestamp)},${text.slice(1)}`;
}

const BEGINNING = /^\{"requestTimestamp":"([^"\\]*)",/u;

/** The parts of a text that was signed; without a time where the text alone is on record. */
export function partsOfSignedText(signed: string): { readonly text: string; readonly requestTimestamp: string | null } {
  const [beginning = '', requestTimestamp = null] = BEGINNING.exec(signed) ?? [];
  return requestTimestamp === null
    ? { text: signed, requestTimestamp }
    : { text: `{${signed.slice(beginning.length)}`, requestTimestamp };
}

const COMPACT_JWS = /^\s*[\w-]+\.([\w-]+)\.[\w-]*\s*$/u;

/** What a compact JWS signs, as text; null for anything else. */
export function textInJws(text: string): string | null {
  const signed = COMPACT_JWS.exec(text)?.[1];
  return signed === undefined ? null : Buffer.from(signed, 'base64url').toString('utf8');
}
