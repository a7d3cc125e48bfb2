import { PAYLOAD_MEMBERS } from '../../../../src/adapters/ujp/document-schema/document-fields.ts';
import type { FieldShape, Members } from '../../../../src/adapters/ujp/document-schema/field.ts';
import type { Json } from '../../../simulator/sample-document.ts';

/** By how much a total is rounded, and the amount of an item before its discount, are stated as differences. */
const AS_DIFFERENCES: ReadonlySet<string> = new Set(['docGrossAmountR', 'docItemTotalOriginalPriceWoVat']);

/** A void with a value in every member of the schema, no two of them the same, and how each is written. */
export function filledPayload(): { readonly payload: Json; readonly values: ReadonlyMap<string, string> } {
  const values = new Map<string, string>();
  let count = 0;

  function filled(members: Members): Json {
    return Object.fromEntries(
      Object.entries(members).map(([name, { shape }]) => {
        count += 1;
        if (shape.kind === 'object') return [name, filled(shape.members)];
        if (shape.kind === 'list') return [name, [filled(shape.members)]];
        const value = name === 'docStorno' ? 1 : distinct(shape.kind, count);
        if (!AS_DIFFERENCES.has(name)) values.set(name, written(value));
        return [name, value];
      }),
    );
  }

  return { payload: filled(PAYLOAD_MEMBERS), values };
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function distinct(kind: Exclude<FieldShape['kind'], 'object' | 'list'>, count: number): unknown {
  const day = new Date(Date.UTC(2026, 0, count)).toISOString().slice(0, 10);
  return { text: `text ${count}`, date: day, number: count + 1000.5, whole: count, anything: { of: count } }[kind];
}
