/** A JSON Schema as a value: it says which members an answer has, and describes it in openapi.json. */
export type TSchema = { readonly [keyword: string]: unknown };

export type TObject = TSchema & { readonly type: 'object'; readonly properties: Readonly<Record<string, TSchema>> };

/** Schemas of members that may be missing. */
const optional = new WeakSet<TSchema>();

/** What the interface needs of JSON Schema; record 2 says why it is not a library. */
export const Type = {
  String: (keywords: TSchema = {}): TSchema => ({ type: 'string', ...keywords }),
  Integer: (keywords: TSchema = {}): TSchema => ({ type: 'integer', ...keywords }),
  Number: (keywords: TSchema = {}): TSchema => ({ type: 'number', ...keywords }),
  Boolean: (keywords: TSchema = {}): TSchema => ({ type: 'boolean', ...keywords }),
  Array: (items: TSchema, keywords: TSchema = {}): TSchema => ({ type: 'array', items, ...keywords }),
  /** A schema as it is written down. */
  Unsafe: (schema: TSchema): TSchema => schema,
  Optional(schema: TSchema): TSchema {
    const copy = { ...schema };
    optional.add(copy);
    return copy;
  },
  isOptional: (schema: TSchema): boolean => optional.has(schema),
  Object(properties: Readonly<Record<string, TSchema>>, keywords: TSchema = {}): TObject {
    const required = Object.keys(properties).filter((name) => !optional.has(properties[name] ?? {}));
    return { type: 'object', ...(required.length === 0 ? {} : { required }), properties, ...keywords };
  },
};
