import { callsOf, type DescribedCall, type Description, type Parameter, type Schema } from './described-calls.ts';

const HEADING = '// Made from the interface descriptions by `npm run docs`.\n';

/** What the client library takes from the interface descriptions: the files below `client/src/generated`, by their names. */
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
