import { projectFile } from '../consistency/source-files.ts';

/** The parts of an OpenAPI description that the tests look at. */
export type Schema = { readonly [keyword: string]: unknown };
export type Header = { readonly description?: string; readonly required?: boolean; readonly schema: Schema };
export type Content = Readonly<
  Record<string, { readonly schema: Schema; readonly examples?: Readonly<Record<string, unknown>> }>
>;
export type Response = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
};
export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
};
export type Operation = {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  /** Empty for a call that needs no key. */
  readonly security?: readonly object[];
  readonly requestBody?: { readonly description?: string; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
};
export type Description = {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
};

export type DescribedOperation = Operation & { readonly method: string; readonly path: string };

export const DESCRIPTION_FILES = ['openapi.json', 'openapi-extensions.json'] as const;

export function committedDescription(file: (typeof DESCRIPTION_FILES)[number]): Description {
  return JSON.parse(projectFile(file));
}

export function operationsOf({ paths }: Description): readonly DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
}

/** What a local reference stands for; anything else stands for itself. */
export function resolved(description: Description, value: unknown): Schema {
  const { $ref } = value as { readonly $ref?: string };
  if ($ref === undefined) return value as Schema;
  const [, , room = '', name = ''] = $ref.split('/');
  const found = description.components[room]?.[name];
  if (found === undefined) throw new Error(`The description has no ${$ref}`);
  return found;
}
