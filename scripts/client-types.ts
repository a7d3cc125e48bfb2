/** What the client library takes from the interface descriptions: the types of answers and parameters, and a table of all calls. */

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
};

type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

export type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

export type DescribedCall = Operation & { readonly name: string; readonly method: string; readonly path: string };

const HEADING = '// Made from the interface descriptions by `npm run docs`.\n';

/** The files below `client/src/generated`, by their names. */
export function clientTypes(
  integration: Description,
  extensions: Description,
): Readonly<Record<'answers.ts' | 'calls.ts', string>> {
  const schemas = { ...extensions.components.schemas, ...integration.components.schemas };
  return {
    'answers.ts': `${HEADING}${Object.entries(schemas)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, schema]) => `\n${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')};\n`)
      .join('')}`,
    'calls.ts': callsFile(callsOf(integration, extensions)),
  };
}

/** All calls of both descriptions; where both have an operation of the same name, that of the extensions says so. */
export function callsOf(integration: Description, extensions: Description): readonly DescribedCall[] {
  const first = callsIn(integration);
  const taken = new Set(first.map(({ name }) => name));
  const second = callsIn(extensions).map((call) =>
    taken.has(call.name) ? { ...call, name: `${call.name}Extensions` } : call,
  );
  return [...first, ...second];
}

function callsIn({ paths }: Description): readonly DescribedCall[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
    })),
  );
}

function callsFile(calls: readonly DescribedCall[]): string {
  const schemas = calls.flatMap((call) => jsonAnswer(call)?.$ref?.split('/').at(-1) ?? []);
  const table = calls.map((call) => {
    const answer = jsonAnswer(call) === null ? 'bytes' : 'json';
    return `  ${call.name}: { method: '${call.method}', path: '${call.path}', answer: '${answer}' },\n`;
  });
  const types = calls.map((call) => {
    const answer = jsonAnswer(call);
    return `${comment(call.summary, '  ')}  readonly ${call.name}: {
    readonly path: ${parametersOf(call, 'path')};
    readonly query: ${parametersOf(call, 'query')};
    readonly takesDocument: ${call.requestBody !== undefined};
    readonly answer: ${answer === null ? 'DownloadedFile' : typeOf(answer, '    ')};
  };
`;
  });
  return `${HEADING}import type { DownloadedFile } from '../downloaded-file.ts';
import type { ${[...new Set(schemas)].toSorted().join(', ')} } from './answers.ts';

export const CALLS = {
${table.join('')}} as const;

export type Calls = {
${types.join('')}};
`;
}

/** The schema of a JSON answer; null where the answer is a file. */
function jsonAnswer({ responses }: DescribedCall): Schema | null {
  const [, done] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return done?.content?.['application/json']?.schema ?? null;
}

function parametersOf({ parameters = [] }: DescribedCall, place: Parameter['in']): string {
  const properties = parameters.filter((parameter) => parameter.in === place);
  if (properties.length === 0) return 'Readonly<Record<string, never>>';
  const schema: Schema = {
    type: 'object',
    properties: Object.fromEntries(
      properties.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description === undefined ? {} : { description }) },
      ]),
    ),
    required: properties.filter(({ required }) => required).map(({ name }) => name),
  };
  return typeOf(schema, '    ');
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'never';
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? 'unknown' : types.map((type) => plainType(type, schema, indent)).join(' | ');
}

function plainType(type: string, schema: Schema, indent: string): string {
  if (type === 'object') return objectType(schema, indent);
  if (type === 'array') return `readonly ${elementType(typeOf(schema.items ?? {}, indent))}[]`;
  if (type === 'integer') return 'number';
  if (schema.enum !== undefined && type === 'string') return schema.enum.map((value) => `'${value}'`).join(' | ');
  return type;
}

function elementType(type: string): string {
  return /^[\w.]+$/u.test(type) || type.startsWith('{') ? type : `(${type})`;
}

function objectType({ properties, required = [] }: Schema, indent: string): string {
  if (properties === undefined) return 'Readonly<Record<string, unknown>>';
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = /^\w+$/u.test(name) ? name : `'${name}'`;
    const mark = required.includes(name) ? '' : '?';
    return `${comment(schema.description, inner)}${inner}readonly ${key}${mark}: ${typeOf(schema, inner)};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/gu, ' ')} */\n`;
}
