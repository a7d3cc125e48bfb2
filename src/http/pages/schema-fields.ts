import { type DescribedInterface, resolved, type Schema } from './described-interface.ts';

export type Field = { readonly name: string; readonly kind: string; readonly meaning: string };

/** Schemas here are a few levels deep; a description with a circle would have no end. */
const MOST_LEVELS = 6;

/** All members of a schema, those of its members included, by their paths. */
export function schemaFields(described: DescribedInterface, given: Schema, prefix = '', level = 0): readonly Field[] {
  const schema = withoutNull(described, given);
  if (level >= MOST_LEVELS) return [];
  if (schema.items !== undefined) return schemaFields(described, schema.items, `${prefix}[]`, level + 1);
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const field = { name: path, kind: kindOf(described, member), meaning: meaningOf(described, member) };
    return [field, ...schemaFields(described, member, path, level + 1)];
  });
}

/** The type of a value in a few words. */
export function kindOf(described: DescribedInterface, given: Schema): string {
  const schema = resolved(described, given);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((one) => kindOf(described, one)).join(' | ');
  const types = [schema.type ?? []].flat().join(' | ') || (schema.properties === undefined ? '' : 'object');
  const format = schema.format === undefined ? '' : ` (${schema.format})`;
  return schema.items === undefined ? `${types}${format}` : `array: ${kindOf(described, schema.items)}`;
}

export function meaningOf(described: DescribedInterface, given: Schema): string {
  const schema = resolved(described, given);
  const choices = schema.enum === undefined ? '' : schema.enum.map(String).join(', ');
  const standard = schema.default === undefined ? '' : `Default: ${String(schema.default)}.`;
  return [given.description ?? schema.description ?? '', choices, standard].filter((text) => text !== '').join(' ');
}

function withoutNull(described: DescribedInterface, given: Schema): Schema {
  const schema = resolved(described, given);
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  const choice = choices.find((one) => resolved(described, one).type !== 'null');
  return choice === undefined ? schema : resolved(described, choice);
}
