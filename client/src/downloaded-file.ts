import { DamagedFileError } from './errors.ts';
import type { Answer } from './read-answer.ts';

export type DownloadedFile = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** In hexadecimal digits, computed here; null where the service gives no digest, as for what it makes on demand. */
  readonly sha256: string | null;
  /** As the service suggests; made of letters, digits, dots, dashes and underscores. */
  readonly fileName: string | null;
  readonly contentType: string | null;
  readonly headers: Headers;
};

const DIGEST = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/u;
const ENCODED_NAME = /filename\*=UTF-8''([^;\s]+)/iu;

/** The file, once its bytes are found to be those of `Repr-Digest` (RFC 9530). */
export async function readVerifiedFile(answer: Answer): Promise<DownloadedFile> {
  const file = await readFile(answer);
  if (file.sha256 === null) throw new DamagedFileError('The file came without a digest.', answer.call);
  return file;
}

/** Verified where there is a digest. */
export async function readFile({ bytes, headers, call }: Answer): Promise<DownloadedFile> {
  const expected = DIGEST.exec(headers.get('Repr-Digest') ?? '')?.[1];
  const digest = expected === undefined ? null : new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  if (digest !== null && btoa(String.fromCharCode(...digest)) !== expected) {
    throw new DamagedFileError('The bytes of the file are not those of its digest.', call);
  }
  return {
    bytes,
    sha256: digest === null ? null : toHex(digest),
    fileName: readName(headers.get('Content-Disposition') ?? ''),
    contentType: headers.get('Content-Type'),
    headers,
  };
}

/** In hexadecimal digits, as inquiries take it. */
export async function sha256Of(document: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof document === 'string' ? new TextEncoder().encode(document) : document;
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/** Whatever the answer says, the name leads out of no folder. */
function readName(disposition: string): string | null {
  const encoded = ENCODED_NAME.exec(disposition)?.[1];
  if (encoded === undefined) return null;
  try {
    const safe = decodeURIComponent(encoded)
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
      .replaceAll(/^[-.]+/gu, '');
    return safe === '' ? null : safe;
  } catch {
    return null;
  }
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
