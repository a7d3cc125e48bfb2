import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredFile } from '../../application/ports/stored-file.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { toHex } from '../../domain/values/hex.ts';
import { oneLineText } from '../../domain/values/one-line-text.ts';

const MAX_NAME_LENGTH = 100;

/** Sends stored bytes unchanged, with a digest to verify and an ETag to cache them. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: StoredFile, name: string): FastifyReply {
  const etag = `"${toHex(file.sha256)}"`;
  reply
    .header('content-type', 'application/octet-stream')
    .header('content-disposition', disposition(name))
    .header('etag', etag)
    .header('repr-digest', `sha-256=:${Buffer.from(file.sha256).toString('base64')}:`)
    .header('cache-control', 'private, no-cache')
    .header('x-content-type-options', 'nosniff');
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.send(Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength));
}

/** A safe file name from a document number, which may hold any characters. */
export function fileName(documentNumber: string | null, docUid: DocUid, extension: string): string {
  const number = oneLineText(documentNumber, MAX_NAME_LENGTH) ?? '';
  const safe = number.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/gu, '');
  return `${safe === '' ? docUid : safe}.${extension}`;
}

function disposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/gu, '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
