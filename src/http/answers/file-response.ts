import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentShape } from '../../application/files/document-shape.ts';
import type { StoredFile } from '../../application/ports/stored-file.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { toHex } from '../../domain/values/hex.ts';
import { oneLineText } from '../../domain/values/one-line-text.ts';

const MAX_NAME_LENGTH = 100;

/** How a file is called, and what it is. */
export type FileHeads = { readonly name: string; readonly shape: DocumentShape };

/** Sends stored bytes unchanged, with a digest to verify and an ETag to cache them. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  { name, shape }: FileHeads,
): FastifyReply {
  reply.header('content-type', 'application/octet-stream').header('x-document-shape', shape);
  if (!sendDigest(request, reply, { sha256: file.sha256, disposition: disposition('attachment', name) })) return reply;
  return reply.send(Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength));
}

type MadeFile = {
  readonly bytes: Buffer;
  readonly name: string;
  /** Of the bytes; not sent without them. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Sends bytes that were made for the answer and are to be shown, with the same digest and ETag as a file. */
export function sendWithDigest(request: FastifyRequest, reply: FastifyReply, made: MadeFile): FastifyReply {
  const { bytes, name, headers } = made;
  const sha256 = createHash('sha256').update(bytes).digest();
  if (!sendDigest(request, reply, { sha256, disposition: disposition('inline', name) })) return reply;
  return reply.headers(headers).send(bytes);
}

/** False where the caller has the bytes already and was told so. */
function sendDigest(
  request: FastifyRequest,
  reply: FastifyReply,
  file: { readonly sha256: Uint8Array; readonly disposition: string },
): boolean {
  const etag = `"${toHex(file.sha256)}"`;
  reply
    .header('content-disposition', file.disposition)
    .header('etag', etag)
    .header('repr-digest', `sha-256=:${Buffer.from(file.sha256).toString('base64')}:`)
    .header('cache-control', 'private, no-cache')
    .header('x-content-type-options', 'nosniff');
  if (!matches(request.headers['if-none-match'], etag)) return true;
  reply.code(304).send();
  return false;
}

/** A safe file name from a document number, which may hold any characters. */
export function fileName(documentNumber: string | null, docUid: DocUid, extension: string): string {
  const number = oneLineText(documentNumber, MAX_NAME_LENGTH) ?? '';
  const safe = number.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/gu, '');
  return `${safe === '' ? docUid : safe}.${extension}`;
}

function disposition(kind: 'attachment' | 'inline', name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/gu, '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
