import { randomUUID } from 'node:crypto';
import type { DocUid } from '../../../src/domain/documents/doc-uid.ts';
import { docUidOf } from '../../support/doc-uid.ts';
import { as } from '../../support/service.ts';
import { freshInvoice } from './documents.ts';
import { readFields, SUBMIT_RESULT } from './fields.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
};

export type SentHeaders = Readonly<Record<string, string>>;

type Body = string | Uint8Array<ArrayBuffer>;

/** Calls the interface over HTTP with one key. Headers that a call gives come before those of the client. */
export type Client = {
  readonly headers: SentHeaders;
  readonly get: (path: string, headers?: SentHeaders) => Promise<Answer>;
  readonly head: (path: string, headers?: SentHeaders) => Promise<Answer>;
  readonly post: (path: string, body?: Body | null, headers?: SentHeaders) => Promise<Answer>;
  readonly submit: (body: Body, idempotencyKey?: string) => Promise<Answer>;
  /** Submits a valid invoice, by default with a number of its own, and gives its docUid. */
  readonly submitted: (document?: Body) => Promise<DocUid>;
};

export function clientFor({ api }: { readonly api: string }, key: string): Client {
  const headers = as(key);
  const post: Client['post'] = (path, body = null, more = {}) =>
    request(`${api}${path}`, { method: 'POST', headers: { ...headers, ...more }, body });
  const submit: Client['submit'] = (body, idempotencyKey = randomUUID()) =>
    post('/outbound', body, { 'Content-Type': 'application/xml', 'X-Idempotency-Key': idempotencyKey });
  return {
    headers,
    get: (path, more = {}) => request(`${api}${path}`, { headers: { ...headers, ...more } }),
    head: (path, more = {}) => request(`${api}${path}`, { method: 'HEAD', headers: { ...headers, ...more } }),
    post,
    submit,
    async submitted(document = freshInvoice()) {
      const answer = await submit(document);
      if (answer.status !== 201) throw new Error(`A sample was refused: ${answer.status} ${answer.text}`);
      return docUidOf(String(readFields(SUBMIT_RESULT, json(answer)).docUid));
    },
  };
}

export async function request(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString('utf8') };
}

export function json({ text }: { readonly text: string }): unknown {
  return JSON.parse(text);
}
