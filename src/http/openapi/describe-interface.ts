import type { TSchema } from '../json-schema.ts';
import { headerComponents } from './answer-headers.ts';
import type { CallDescription } from './call-description.ts';
import { exampleComponents } from './examples.ts';
import type { InterfaceInfo } from './interface-info.ts';
import { operationOf } from './operation.ts';

/** Where the calls of a description are sent to: a URL, or one with variables that a client fills in. */
export type DescribedServer = {
  readonly url: string;
  readonly description: string;
  readonly variables?: Readonly<Record<string, { readonly default: string; readonly description: string }>>;
};

type Subject = {
  readonly info: InterfaceInfo;
  readonly root: string;
  /** Those that are listed by name where a call needs them. */
  readonly schemas: readonly TSchema[];
  readonly calls: readonly CallDescription[];
  readonly server: DescribedServer;
};

const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The key, as issued by the operator for one taxpayer and one piece of software.',
  },
};

/** The OpenAPI 3.1 description of an interface, made from what its calls say of themselves. */
export function describeInterface({ info, root, schemas: named, calls, server }: Subject): TSchema {
  const paths = withLocalReferences(pathsOf(root, calls)) as TSchema;
  const { schemas, references } = usedSchemas(paths, named);
  const isUsed = (reference: string) => references.has(reference);
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: '1.0.0',
      description: info.description,
      contact: { name: 'The operator of the service, who issues the keys' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [server],
    security: [{ ApiKey: [] }],
    tags: Object.entries(info.tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas,
      headers: headerComponents(isUsed),
      examples: exampleComponents(isUsed),
    },
  };
}

function pathsOf(root: string, calls: readonly CallDescription[]): TSchema {
  const byPath = Map.groupBy(calls, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      `${root}${path.replaceAll(/:(\w+)/gu, '{$1}')}`,
      Object.fromEntries(group.map((call) => [call.method.toLowerCase(), operationOf(call)])),
    ]),
  );
}

/** Only those that the calls need, in the order in which they are listed: linters report a component that nothing refers to. */
function usedSchemas(
  paths: TSchema,
  named: readonly TSchema[],
): { readonly schemas: TSchema; readonly references: ReadonlySet<string> } {
  const references = new Set<string>();
  const byReference = new Map<string, unknown>(
    named.map(({ $id, ...schema }) => [`#/components/schemas/${$id}`, withLocalReferences(schema)] as const),
  );
  const collect = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref' || typeof inner !== 'string') collect(inner);
      else if (!references.has(inner)) {
        references.add(inner);
        collect(byReference.get(inner));
      }
    }
  };
  collect(paths);
  const used = [...byReference].filter(([reference]) => references.has(reference));
  const schemas = Object.fromEntries(used.map(([reference, schema]) => [reference.replace(/^.*\//u, ''), schema]));
  return { schemas, references };
}

/** Routes refer to a named schema as `Name#`, OpenAPI by its place in the description. */
function withLocalReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLocalReferences);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key !== '$ref' || typeof inner !== 'string') return [key, withLocalReferences(inner)];
      return [key, inner.endsWith('#') ? `#/components/schemas/${inner.slice(0, -1)}` : inner];
    }),
  );
}
