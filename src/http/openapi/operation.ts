import { type ErrorCode, PROBLEM_CATALOGUE } from '../../application/errors/problem-catalogue.ts';
import { problemDetails, reference } from '../answers/schemas.ts';
import { type TSchema, Type } from '../json-schema.ts';
import { answerHeaders, type Bytes } from './answer-headers.ts';
import { type CallDescription, isBytes } from './call-description.ts';
import { answerExamples, bodyExample, errorExamples } from './examples.ts';
import { plainAnswers } from './plain-answers.ts';

/** The errors that every call can get. */
const EVERY_OPEN_CALL: readonly ErrorCode[] = ['ERR-1007', 'ERR-9000'];

/** Those that every authenticated call can get. */
const EVERY_CALL: readonly ErrorCode[] = [
  ...EVERY_OPEN_CALL,
  'ERR-1001',
  'ERR-1002',
  'ERR-1003',
  'ERR-1004',
  'ERR-1005',
  'ERR-1006',
  'ERR-1008',
];

const softwareId = Type.String({
  minLength: 1,
  description: 'Name and version of the calling software. It is recorded and gives no rights.',
  examples: ['ledger/4.2'],
});

const acceptLanguage = Type.Optional(
  Type.String({
    description:
      'The language of detail, of failureMessage and of the texts of warnings and findings: mk or en. Without it, detail is English, and messages about documents are in the language that is set for the taxpayer.',
    examples: ['mk'],
  }),
);

const ifNoneMatch = Type.Optional(
  Type.String({
    description: 'The ETag of bytes that the caller has. They are not sent again (304) if they are the same.',
  }),
);

const SUCCESS: Readonly<Record<number, string>> = { 200: 'Done.', 201: 'A new document was stored.' };
const NOT_MODIFIED = 'The caller has these bytes already: If-None-Match names their ETag.';
const JSON_TYPES = ['application/json', 'text/json', 'text/plain'];

/** A call as an operation of OpenAPI. Schemas are referred to as in routes: by their names alone. */
export function operationOf(call: CallDescription): TSchema {
  const { operationId, summary, description, tag, body } = call;
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(call.isOpen === true ? { security: [] } : {}),
    parameters: parametersOf(call),
    ...(body === undefined ? {} : { requestBody: requestBody(operationId, body) }),
    responses: Object.fromEntries([...successAnswers(call), ...errorAnswers(call)].toSorted(([a], [b]) => a - b)),
  };
}

function sendsFile({ success }: CallDescription): boolean {
  return Object.values(success).some(isBytes);
}

function parametersOf(call: CallDescription): readonly TSchema[] {
  const { params, parameters, extraHeaders } = call;
  const path = (params?.['properties'] ?? {}) as Readonly<Record<string, TSchema>>;
  const query = Object.entries(parameters).map(([name, { schema }]) => [name, schema] as const);
  const headers = {
    ...(call.isOpen === true ? {} : { 'X-Software-Id': softwareId }),
    'Accept-Language': acceptLanguage,
    ...extraHeaders,
    ...(sendsFile(call) ? { 'If-None-Match': ifNoneMatch } : {}),
  };
  return [
    ...Object.entries(path).map(([name, schema]) => parameterObject(name, 'path', schema, true)),
    ...query.map(([name, schema]) => parameterObject(name, 'query', schema, false)),
    ...Object.entries(headers).map(([name, schema]) =>
      parameterObject(name, 'header', schema, !Type.isOptional(schema)),
    ),
  ];
}

function parameterObject(name: string, place: string, schema: TSchema, required: boolean): TSchema {
  const { description, ...rest } = schema;
  return { name, in: place, ...(required ? { required } : {}), description, schema: rest };
}

function requestBody(operationId: string, body: TSchema): TSchema {
  const { description, ...schema } = body;
  const type = isBytes(body) ? 'application/xml' : 'application/json';
  return {
    required: true,
    description,
    content: { [type]: { schema: reference(schema), ...bodyExample(operationId) } },
  };
}

type Answers = readonly (readonly [number, TSchema])[];

function successAnswers(call: CallDescription): Answers {
  const { success, answerHeaders: own = {}, operationId, answersTexts: hasTexts = false } = call;
  const answers = Object.entries(success).map(([text, schema]) => {
    const status = Number(text);
    const bytes = bytesOf(call, schema);
    const content = bytes !== null ? fileContent(schema) : jsonContent(schema, answerExamples(operationId, status));
    return [
      status,
      {
        description: SUCCESS[status] ?? '',
        headers: answerHeaders(status, { bytes, hasTexts, own: own[status] ?? {} }),
        content,
      },
    ] as const;
  });
  const bytes = Object.values(success).map((schema) => bytesOf(call, schema))[0] ?? null;
  if (bytes === null) return answers;
  const headers = answerHeaders(304, { bytes, hasTexts: false, own: own[304] ?? {} });
  return [...answers, [304, { description: NOT_MODIFIED, headers }]];
}

function bytesOf({ isOpen = false }: CallDescription, schema: TSchema): Bytes | null {
  if (!isBytes(schema)) return null;
  if (isOpen) return 'open file';
  return 'contentMediaType' in schema ? 'page' : 'document';
}

function fileContent(schema: TSchema): TSchema {
  const { contentMediaType = 'application/octet-stream', ...rest } = schema;
  return { [String(contentMediaType)]: { schema: rest } };
}

/** One body under three names: the contract offers it so. */
function jsonContent(schema: TSchema, examples: TSchema): TSchema {
  return Object.fromEntries(JSON_TYPES.map((type) => [type, { schema: reference(schema), ...examples }]));
}

function errorAnswers({ errors, plainErrors = {}, body, isOpen = false }: CallDescription): Answers {
  const all = [...new Set([...(isOpen ? EVERY_OPEN_CALL : EVERY_CALL), ...errors])].toSorted();
  const codes: ReadonlyMap<number, readonly ErrorCode[]> = Map.groupBy(all, (code) => PROBLEM_CATALOGUE[code].status);
  const own = Object.entries(plainErrors).map(([status, text]) => [Number(status), text] as const);
  const plain = new Map([...plainAnswers({ takesBody: body !== undefined }), ...own]);
  const statuses = [...new Set([...codes.keys(), ...plain.keys()])];
  return statuses.map((status) => {
    const group = codes.get(status) ?? [];
    const texts = [...group.map((code) => `${code}: ${PROBLEM_CATALOGUE[code].title}`), plain.get(status) ?? ''];
    const content = { 'application/problem+json': { schema: reference(problemDetails), ...errorExamples(group) } };
    const headers = answerHeaders(status, { bytes: null, hasTexts: true });
    return [status, { description: texts.join(' ').trim(), headers, content }];
  });
}
