import { DOCUMENT_SHAPES } from '../../application/files/document-shape.ts';
import { type TSchema, Type } from '../json-schema.ts';
import type { HeaderSchemas } from './call-description.ts';

/** Headers that calls have in common; an interface description lists those that its answers have. */
const SHARED_HEADERS: HeaderSchemas = {
  'X-Request-Id': Type.String({
    pattern: '^[0-9A-Za-z][0-9A-Za-z._:-]{7,127}$',
    description:
      'Identifies this answer in the log of the service. Quote it when you report a problem. The X-Request-Id of the call, where that has 8 to 128 letters, digits, dots, colons, hyphens or underscores; else one of our own.',
    examples: ['0b9f2a52-6a3f-4f5e-9f9c-3d1a6a0d7a11'],
  }),
  Traceparent: Type.String({
    description: 'That of the call, where it sent one (W3C Trace Context).',
    examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  }),
  'Cache-Control': Type.String({
    description:
      'no-store, so that no cache keeps the answer; private, no-cache for files, which may be kept and revalidated.',
  }),
  Vary: Type.String({ description: 'The request headers on which the answer depends.' }),
  'Content-Language': Type.String({
    description: 'The language of the texts in the answer, where Accept-Language asks for one that there is.',
    examples: ['mk'],
  }),
  'X-Content-Type-Options': Type.String({ description: 'nosniff: the content type is meant as it is stated.' }),
  'RateLimit-Policy': Type.String({
    description: 'The traffic limit of the key: q calls in w seconds. On every answer to a key that was recognised.',
    examples: ['"minute";q=600;w=60'],
  }),
  RateLimit: Type.String({
    description:
      'What is left of the traffic limit: r calls, and t seconds until all of it is there again. On every answer to a key that was recognised.',
    examples: ['"minute";r=599;t=1'],
  }),
  'Retry-After': Type.Integer({
    minimum: 1,
    description: 'After how many seconds the same call may succeed.',
    examples: [2],
  }),
  'WWW-Authenticate': Type.String({ description: 'The scheme of authentication: a key in X-Api-Key.' }),
  Allow: Type.String({ description: 'The methods that the address knows.', examples: ['GET, HEAD'] }),
  ETag: Type.String({ description: 'The SHA-256 of the bytes, for If-None-Match.' }),
  'Repr-Digest': Type.String({ description: 'The SHA-256 of the bytes, to verify the download (RFC 9530).' }),
  'Content-Disposition': Type.String({ description: 'A file name, made from the document number.' }),
  'X-Document-Shape': Type.String({
    description:
      "What the file is: UBL 2.1, the authority's JSON document as its schema has it, a PDF, the authority's signed container, or something else that is kept as it arrived. Further values may be added.",
    'x-extensible-enum': Object.values(DOCUMENT_SHAPES),
  }),
  'Content-Length': Type.Integer({ minimum: 0, description: 'The number of bytes.' }),
};

type Presence = 'always' | 'sometimes';
type Present = Readonly<Record<string, Presence>>;

const EVERY_ANSWER: Present = {
  'X-Request-Id': 'always',
  Traceparent: 'sometimes',
  'Cache-Control': 'always',
  Vary: 'always',
  'X-Content-Type-Options': 'always',
};
const PAGE: Present = { ETag: 'always', 'Repr-Digest': 'always', 'Content-Disposition': 'always' };

/** What an answer with bytes is: a document, a page made of one, or a file that is the same for everybody. */
export type Bytes = 'document' | 'page' | 'open file';

const OF_BYTES: Readonly<Record<Bytes, Present>> = {
  document: { ...PAGE, 'X-Document-Shape': 'always' },
  page: PAGE,
  'open file': { ETag: 'always' },
};

/** For these the key must have been recognised; on other answers it may have been. */
const KEY_RECOGNISED: ReadonlySet<number> = new Set([200, 201, 304, 403, 429]);

const BY_STATUS: Readonly<Record<number, Present>> = {
  401: { 'WWW-Authenticate': 'always' },
  // A file that is on its way says when to ask again.
  404: { 'Retry-After': 'sometimes' },
  405: { Allow: 'always' },
  429: { 'Retry-After': 'always' },
  503: { 'Retry-After': 'always' },
};

/** The headers of an answer, as OpenAPI has them: shared ones by reference, those of the call in place. */
export function answerHeaders(
  status: number,
  {
    bytes,
    hasTexts,
    own = {},
  }: { readonly bytes: Bytes | null; readonly hasTexts: boolean; readonly own?: HeaderSchemas },
): Readonly<Record<string, TSchema>> {
  const limits: Presence = KEY_RECOGNISED.has(status) && bytes !== 'open file' ? 'always' : 'sometimes';
  const shared: Present = {
    ...EVERY_ANSWER,
    ...(hasTexts ? { 'Content-Language': 'sometimes' } : {}),
    'RateLimit-Policy': limits,
    RateLimit: limits,
    ...BY_STATUS[status],
    ...(bytes === null ? {} : OF_BYTES[bytes]),
    ...(bytes !== null && status === 200 ? { 'Content-Length': 'always' } : {}),
  };
  return {
    ...Object.fromEntries(Object.entries(shared).map(([name, presence]) => [name, sharedReference(name, presence)])),
    ...Object.fromEntries(
      Object.entries(own).map(([name, schema]) => [
        name,
        headerObject(schema, Type.isOptional(schema) ? 'sometimes' : 'always'),
      ]),
    ),
  };
}

function sharedReference(name: string, presence: Presence): TSchema {
  return { $ref: `#/components/headers/${presence === 'always' ? name : `Optional-${name}`}` };
}

/** The shared headers that a description refers to, as its components. */
export function headerComponents(isUsed: (reference: string) => boolean): Readonly<Record<string, TSchema>> {
  const all = Object.entries(SHARED_HEADERS).flatMap(([name, schema]) =>
    (['always', 'sometimes'] as const).map(
      (presence) => [sharedReference(name, presence), headerObject(schema, presence)] as const,
    ),
  );
  return Object.fromEntries(
    all
      .filter(([{ $ref }]) => isUsed(String($ref)))
      .map(([{ $ref }, header]) => [String($ref).replace(/^.*\//u, ''), header]),
  );
}

function headerObject(schema: TSchema, presence: Presence): TSchema {
  const { description, ...rest } = schema;
  return { description, ...(presence === 'always' ? { required: true } : {}), schema: rest };
}
