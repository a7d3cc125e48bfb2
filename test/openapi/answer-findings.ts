import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  type DescribedOperation,
  type Description,
  type Header,
  operationsOf,
  type Response,
  resolved,
  type Schema,
} from './descriptions.ts';

export type Exchange = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
};

/** Those of the connection and of the message, which OpenAPI leaves to HTTP. */
const OF_HTTP: ReadonlySet<string> = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'content-type',
  'transfer-encoding',
]);

/** Compares an answer with a description, as a validating proxy would, by a validator that the service itself does not use. */
export function createAnswerJudge(description: Description) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Generators know them as kinds of numbers and bytes; they say nothing that could be checked here.
  for (const format of ['int32', 'double', 'binary']) ajv.addFormat(format, true);
  ajv.addSchema(closed({ $id: 'description', components: { schemas: description.components['schemas'] } }) as Schema);

  const validators = new Map<Schema, ValidateFunction>();

  function schemaFindings(schema: Schema, value: unknown, what: string): readonly string[] {
    const validate = validators.get(schema) ?? ajv.compile(closed(withAbsoluteReferences(schema)) as Schema);
    validators.set(schema, validate);
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${what}${instancePath} ${message}`);
  }

  function headerFindings(response: Response, headers: Headers): readonly string[] {
    const described = new Map(
      Object.entries(response.headers ?? {}).map(([name, header]) => [
        name.toLowerCase(),
        resolved(description, header) as unknown as Header,
      ]),
    );
    const unknown = [...headers.keys()].filter((name) => !described.has(name) && !OF_HTTP.has(name));
    return [
      ...unknown.map((name) => `the header ${name} is not described`),
      ...[...described].flatMap(([name, { required = false, schema }]) => {
        const text = headers.get(name);
        if (text === null) return required ? [`the header ${name} is missing`] : [];
        return schemaFindings(schema, schema['type'] === 'integer' ? Number(text) : text, `the header ${name}`);
      }),
    ];
  }

  function bodyFindings({ content }: Response, { method, headers, bytes }: Exchange): readonly string[] {
    if (content === undefined || method === 'HEAD') return bytes.length === 0 ? [] : ['a body that is not described'];
    const type = (headers.get('content-type') ?? '').replace(/;.*$/u, '');
    const body = content[type];
    if (body === undefined) return [`the content type ${type} is not described`];
    return body.schema['format'] === 'binary'
      ? []
      : schemaFindings(body.schema, JSON.parse(bytes.toString('utf8')), 'the body');
  }

  return (exchange: Exchange): readonly string[] => {
    const operation = operationFor(description, exchange);
    const response = operation?.responses[exchange.status];
    if (operation === undefined) return [`no operation is described for ${exchange.path}`];
    if (response === undefined) return [`${exchange.status} is not described`];
    return [...headerFindings(response, exchange.headers), ...bodyFindings(response, exchange)];
  };
}

/** A method that the path does not know is judged by any of those that it knows: they describe 405. */
export function operationFor(
  description: Description,
  { method, path }: Pick<Exchange, 'method' | 'path'>,
): DescribedOperation | undefined {
  const atPath = operationsOf(description).filter((operation) => {
    const pattern = operation.path.replaceAll(/\{\w+\}/gu, '[^/]*');
    return new RegExp(`^${pattern}$`, 'u').test(path);
  });
  const wanted = method === 'HEAD' ? 'GET' : method;
  return atPath.find((operation) => operation.method === wanted) ?? atPath[0];
}

/** Objects with the members that they describe and no other: what an answer has beyond them is a finding. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (value === null || typeof value !== 'object') return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  return 'properties' in copy ? { ...copy, additionalProperties: false } : copy;
}

function withAbsoluteReferences(schema: Schema): Schema {
  return typeof schema['$ref'] === 'string' ? { $ref: `description${schema['$ref']}` } : schema;
}
