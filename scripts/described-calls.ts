/** What is used here of the interface descriptions. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
};

export type Parameter = {
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
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

export type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
};

export type DescribedCall = Operation & { readonly name: string; readonly method: string; readonly path: string };

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
