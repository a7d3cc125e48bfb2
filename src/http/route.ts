import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type ErrorCode, PROBLEM_CATALOGUE } from '../application/errors/problem-catalogue.ts';
import { problemDetails, reference } from './answers/schemas.ts';
import { type TSchema, Type } from './json-schema.ts';
import { type Parameters, type QueryValues, querySchema, readQuery } from './requests/query.ts';

/** What every route of the API needs to register itself. */
export type Mount = { readonly app: FastifyInstance; readonly authenticated: onRequestAsyncHookHandler };

/** The errors that every authenticated call can get. */
const EVERY_CALL: readonly ErrorCode[] = [
  'ERR-1001',
  'ERR-1002',
  'ERR-1003',
  'ERR-1004',
  'ERR-1005',
  'ERR-1006',
  'ERR-1007',
  'ERR-1008',
  'ERR-9000',
];

const headers = {
  'X-Api-Key': Type.String({ description: 'The key, as issued by the operator.' }),
  'X-Software-Id': Type.String({ description: 'Name and version of the calling software, for example ledger/4.2.' }),
};

type Description = {
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  readonly success: Readonly<Record<number, TSchema>>;
  /** Headers of the answer that belong to this call alone, by HTTP status. */
  readonly answerHeaders?: Readonly<Record<number, Readonly<Record<string, TSchema>>>>;
  readonly errors: readonly ErrorCode[];
  readonly params?: TSchema;
  /** The query parameters that the call knows. Any other is refused: ignored, a misspelt one would go unnoticed. */
  readonly parameters: Parameters;
  readonly extraHeaders?: Readonly<Record<string, TSchema>>;
  /** The XML that the call reads itself; all others take no body. */
  readonly body?: TSchema;
};

type Call<P extends Parameters> = Description & {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly parameters: P;
  /** What is checked even before the key. */
  readonly checkFirst?: (request: FastifyRequest) => void;
  readonly answer: (request: FastifyRequest, reply: FastifyReply, query: QueryValues<P>) => Promise<unknown>;
};

export const NO_PARAMETERS = {} as const;

/** Adds a call of the interface; its query is read here, so that no call can leave it unread. */
export function addCall<P extends Parameters>({ app, authenticated }: Mount, call: Call<P>): void {
  const { method, path, parameters, checkFirst, answer } = call;
  app.route({
    method,
    url: path,
    schema: describe(call),
    config: { takesBody: call.body !== undefined, sendsFile: Object.values(call.success).includes(storedBytes) },
    onRequest: checkFirst === undefined ? authenticated : [async (request) => checkFirst(request), authenticated],
    handler: async (request, reply) => answer(request, reply, readQuery(parameters, request.query)),
  });
}

/** The schema of a route: it serialises the answers and describes the route in openapi.json. */
function describe(call: Description) {
  const { operationId, summary, tag, errors, params, parameters, extraHeaders, body } = call;
  return {
    operationId,
    summary,
    tags: [tag],
    headers: Type.Object({ ...headers, ...extraHeaders }),
    ...(params === undefined ? {} : { params }),
    ...(Object.keys(parameters).length === 0 ? {} : { querystring: querySchema(parameters) }),
    ...(body === undefined ? {} : { consumes: ['application/xml'], body }),
    response: { ...successResponses(call), ...errorResponses([...EVERY_CALL, ...errors]) },
  };
}

const SUCCESS: Readonly<Record<number, string>> = { 200: 'Done.', 201: 'A new document was stored.' };

function successResponses({ success, answerHeaders = {} }: Description) {
  return Object.fromEntries(
    Object.entries(success).map(([status, schema]) => {
      const own = answerHeaders[Number(status)];
      const described = { description: SUCCESS[Number(status)] ?? '', content: contentOf(schema) };
      return [status, own === undefined ? described : { ...described, headers: own }];
    }),
  );
}

function contentOf(schema: TSchema) {
  if ((schema as { format?: string }).format === 'binary') return { 'application/octet-stream': { schema } };
  const body = { schema: reference(schema) };
  return { 'application/json': body, 'text/json': body, 'text/plain': body };
}

function errorResponses(codes: readonly ErrorCode[]) {
  const byStatus = Map.groupBy(codes.toSorted(), (code) => PROBLEM_CATALOGUE[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `${code}: ${PROBLEM_CATALOGUE[code].title}`).join(' '),
        content: { 'application/problem+json': { schema: reference(problemDetails) } },
      },
    ]),
  );
}

export const storedBytes = Type.String({ format: 'binary' });
