import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { json, request } from './support/client.ts';
import {
  ACKNOWLEDGEMENT,
  CANCEL_RESULT,
  CODE_LIST,
  HISTORY,
  INBOUND_DOCUMENT,
  OUTBOUND_DOCUMENT,
  PING,
  PROBLEM,
  SUBMIT_RESULT,
} from './support/fields.ts';

const service = await startTestService();
after(() => service.stop());

type Schema = {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};
type Described = {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
};
type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean };
type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly security?: unknown;
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, Described>>;
};
type Description = {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly security?: unknown;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<
      Record<string, { readonly type: string; readonly in: string; readonly name: string }>
    >;
  };
};

const served = await request(`${service.api}/openapi.json`);
const description = json(served) as Description;

/** The interface description gives paths with or without the root of the interface. */
const ROOT = '/api/integration/v1';
const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path.replace(ROOT, '')}`, operation] as const,
    ),
  ),
);

const KEY_ERRORS = ['ERR-1001', 'ERR-1002', 'ERR-1003', 'ERR-1004', 'ERR-1005', 'ERR-1006', 'ERR-1008'];
const SUBMIT_ERRORS = [
  'ERR-1007',
  'ERR-2001',
  'ERR-2002',
  'ERR-2003',
  'ERR-2004',
  'ERR-2005',
  'ERR-2006',
  'ERR-2010',
  'ERR-2011',
  'ERR-2012',
  'ERR-2013',
  'ERR-9001',
];
const PAGE = { items: '', totalCount: '', page: '', pageSize: '', totalPages: '' };

type Expected = {
  readonly success: Readonly<Record<number, object | 'bytes'>>;
  readonly errors: readonly string[];
  readonly parameters?: readonly string[];
};

/** The endpoints of the contract, by hand. */
const ENDPOINTS: Readonly<Record<string, Expected>> = {
  'GET /ping': { success: { 200: PING }, errors: [] },
  'GET /codelists/{type}': { success: { 200: CODE_LIST }, errors: ['ERR-2021', 'ERR-9000'], parameters: ['type'] },
  'POST /outbound': {
    success: { 200: SUBMIT_RESULT, 201: SUBMIT_RESULT },
    errors: [...SUBMIT_ERRORS, 'ERR-9000'],
    parameters: ['x-idempotency-key'],
  },
  'GET /outbound': {
    success: { 200: PAGE },
    errors: ['ERR-3005', 'ERR-9000'],
    parameters: ['dateFrom', 'dateTo', 'status', 'partnerEdb', 'page', 'pageSize'],
  },
  'GET /outbound/{docUid}': {
    success: { 200: OUTBOUND_DOCUMENT },
    errors: ['ERR-3001', 'ERR-9000'],
    parameters: ['docUid'],
  },
  'GET /outbound/{docUid}/history': {
    success: { 200: HISTORY },
    errors: ['ERR-3001', 'ERR-9000'],
    parameters: ['docUid'],
  },
  'GET /outbound/{docUid}/file': {
    success: { 200: 'bytes' },
    errors: ['ERR-3001', 'ERR-3002', 'ERR-9000'],
    parameters: ['docUid', 'format', 'if-none-match'],
  },
  'POST /outbound/{docUid}/cancel': {
    success: { 200: CANCEL_RESULT },
    errors: ['ERR-3001', 'ERR-3003', 'ERR-3004', 'ERR-9000'],
    parameters: ['docUid'],
  },
  'GET /inbound': {
    success: { 200: PAGE },
    errors: ['ERR-3005', 'ERR-9000'],
    parameters: ['dateFrom', 'dateTo', 'senderEdb', 'onlyNotImported', 'page', 'pageSize'],
  },
  'GET /inbound/{docUid}': {
    success: { 200: INBOUND_DOCUMENT },
    errors: ['ERR-3001', 'ERR-9000'],
    parameters: ['docUid'],
  },
  'GET /inbound/{docUid}/file': {
    success: { 200: 'bytes' },
    errors: ['ERR-3001', 'ERR-3002', 'ERR-9000'],
    parameters: ['docUid', 'format', 'if-none-match'],
  },
  'POST /inbound/{docUid}/ack': {
    success: { 200: ACKNOWLEDGEMENT },
    errors: ['ERR-3001', 'ERR-9000'],
    parameters: ['docUid'],
  },
};

function resolved(schema: Schema | undefined): Schema {
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined ? (schema ?? {}) : (description.components?.schemas?.[name] ?? {});
}

function assertFieldsDescribed(schema: Schema | undefined, fields: object): void {
  const { properties = {}, required = [] } = resolved(schema);
  assert.deepEqual(Object.keys(properties).sort(), Object.keys(fields).sort());
  assert.deepEqual([...required].sort(), Object.keys(fields).sort(), 'every field is always present');
}

function assertSuccessDescribed(content: NonNullable<Described['content']>, fields: object | 'bytes'): void {
  const isJson = fields !== 'bytes';
  const types = isJson ? ['application/json', 'text/json', 'text/plain'] : ['application/octet-stream'];
  assert.deepEqual(Object.keys(content).sort(), types);
  if (isJson) for (const type of types) assertFieldsDescribed(content[type]?.schema, fields);
}

suite('versioning: the interface description', () => {
  test('is served without a key as OpenAPI 3.1, release 1.0.0', () => {
    assert.equal(served.status, 200);
    assert.match(served.headers.get('content-type') ?? '', /^application\/json(;|$)/u);
    assert.match(description.openapi, /^3\.1\.\d+$/u);
    assert.equal(description.info.version, '1.0.0');
  });

  test('describes the twelve operations of the contract and no other', () => {
    assert.deepEqual([...operations.keys()].sort(), Object.keys(ENDPOINTS).sort());
  });

  test('names the headers in which an answer says more than its body', () => {
    const headersOf = (endpoint: string, status: string) => {
      const answer = operations.get(endpoint)?.responses[status] as { readonly headers?: object } | undefined;
      return Object.keys(answer?.headers ?? {});
    };
    const shared = headersOf('GET /ping', '200');
    const ownOf = (endpoint: string, status: string) =>
      headersOf(endpoint, status).filter((name) => !shared.includes(name));
    assert.deepEqual(ownOf('GET /inbound/{docUid}', '200'), ['X-Ujp-Status']);
    assert.deepEqual(ownOf('POST /outbound', '201'), ['Location']);
  });

  for (const [endpoint, expected] of Object.entries(ENDPOINTS)) {
    const operation = operations.get(endpoint);

    test(`${endpoint}: every success with its fields`, () => {
      for (const [status, fields] of Object.entries(expected.success)) {
        assertSuccessDescribed(operation?.responses[status]?.content ?? {}, fields);
      }
    });

    test(`${endpoint}: every error of the contract, as problem+json`, () => {
      const errors = Object.entries(operation?.responses ?? {}).filter(([status]) => Number(status) >= 400);
      const described = errors.map(([, response]) => response.description).join(' ');
      for (const code of [...KEY_ERRORS, ...expected.errors]) assert.ok(described.includes(code), code);
      for (const [status, { content = {} }] of errors) {
        assert.deepEqual(Object.keys(content), ['application/problem+json'], status);
        assertFieldsDescribed(content['application/problem+json']?.schema, PROBLEM);
      }
    });

    test(`${endpoint}: its parameters, and both headers as required`, () => {
      const parameters = operation?.parameters ?? [];
      const names = parameters.map(({ name }) => name.toLowerCase());
      const wanted = ['x-software-id', 'accept-language', ...(expected.parameters ?? [])].map((name) =>
        name.toLowerCase(),
      );
      assert.deepEqual(names.toSorted(), wanted.toSorted());
      for (const { name, in: place, required } of parameters) {
        const isRequired = place !== 'query' && !['Accept-Language', 'If-None-Match'].includes(name);
        assert.equal(required ?? false, isRequired, `${name} in ${place}`);
      }
      assert.deepEqual(operation?.security ?? description.security, [{ ApiKey: [] }], 'the key, by its own scheme');
      const { type, in: place, name } = description.components?.securitySchemes?.['ApiKey'] ?? {};
      assert.deepEqual([type, place, name], ['apiKey', 'header', 'X-Api-Key']);
    });
  }

  test('POST /outbound takes application/xml', () => {
    assert.deepEqual(Object.keys(operations.get('POST /outbound')?.requestBody?.content ?? {}), ['application/xml']);
  });
});

suite('versioning: the path', () => {
  test('the version is in the path, and there is no other', async () => {
    for (const version of ['v2', 'v0', 'V1', 'v1.0', '1', 'latest']) {
      const answer = await request(`${service.url}/api/integration/${version}/ping`);
      assert.equal(answer.status, 404, version);
    }
    assert.equal((await request(`${service.url}/api/integration/v1/ping`)).status, 401);
  });
});
