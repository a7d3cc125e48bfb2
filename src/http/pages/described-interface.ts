/** What a reference shows of an OpenAPI description. */
export type DescribedInterface = {
  readonly info: { readonly title: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type Operation = {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly content?: Content };
  readonly responses: Readonly<Record<string, Response>>;
};

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
};

export type Response = { readonly description?: string; readonly content?: Content };

export type Content = Readonly<Record<string, MediaType>>;

type MediaType = { readonly schema?: Schema; readonly examples?: Readonly<Record<string, unknown>> };

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
};

export type Call = { readonly method: string; readonly path: string; readonly operation: Operation };

export function callsOf({ paths }: DescribedInterface): readonly Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** What a reference within the description stands for; anything else is itself. */
export function resolved<T>({ components }: DescribedInterface, value: T): T {
  const { $ref } = value as { readonly $ref?: string };
  const [, group = '', name = ''] = /^#\/components\/([^/]+)\/([^/]+)$/u.exec($ref ?? '') ?? [];
  return (components?.[group]?.[name] as T | undefined) ?? value;
}

/** The name that a schema has in the description. */
export function schemaName({ $ref }: Schema): string | null {
  return $ref?.split('/').at(-1) ?? null;
}
