import type { TSchema } from '../json-schema.ts';

type Pick = (value: unknown) => unknown;

/** Turns an answer into JSON with the members that its schema describes and no other, whatever a route hands over. */
export function describedJson(schema: TSchema, named: Readonly<Record<string, TSchema>>): (answer: unknown) => string {
  const pick = picker(schema, named);
  return (answer) => JSON.stringify(pick(answer));
}

function picker(schema: TSchema, named: Readonly<Record<string, TSchema>>): Pick {
  const { $ref, properties, items } = schema as {
    readonly $ref?: string;
    readonly properties?: Readonly<Record<string, TSchema>>;
    readonly items?: TSchema;
  };
  if ($ref !== undefined) return picker(namedSchema($ref, named), named);
  if (properties !== undefined) return memberPicker(properties, named);
  if (items === undefined) return (value) => value;
  const pick = picker(items, named);
  return (value) => (Array.isArray(value) ? value.map(pick) : value);
}

function memberPicker(properties: Readonly<Record<string, TSchema>>, named: Readonly<Record<string, TSchema>>): Pick {
  const members = Object.entries(properties).map(([name, schema]) => [name, picker(schema, named)] as const);
  return (value) => {
    if (value === null || typeof value !== 'object') return value;
    const picked: Record<string, unknown> = {};
    for (const [name, pick] of members) picked[name] = pick((value as Record<string, unknown>)[name]);
    return picked;
  };
}

function namedSchema($ref: string, named: Readonly<Record<string, TSchema>>): TSchema {
  const schema = named[$ref.replace(/#$/u, '')];
  if (schema === undefined) throw new Error(`No schema is called ${$ref}`);
  return schema;
}
