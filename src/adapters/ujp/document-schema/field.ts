/** What the value of a member is. */
export type FieldShape =
  | { readonly kind: 'text' | 'date' | 'number' | 'anything' }
  | { readonly kind: 'whole'; readonly least: number; readonly most: number }
  | { readonly kind: 'object'; readonly members: Members }
  | { readonly kind: 'list'; readonly members: Members; readonly mayBeEmpty: boolean };

/** A member of the authority's document; `Value` is what it is once it was read. */
export type Field<Value> = {
  readonly shape: FieldShape;
  /** It must be there and not be null; a text must not be empty. */
  readonly isRequired: boolean;
  /** Where it stands in UBL. */
  readonly ubl: string;
  readonly value?: Value;
};

export type Members = { readonly [name: string]: Field<unknown> };
export type ValuesOf<M extends Members> = { readonly [Name in keyof M]: M[Name] extends Field<infer V> ? V : never };

export function required<Value>(field: Field<Value | null>): Field<Value> {
  const { shape, ubl } = field;
  return { shape, ubl, isRequired: true };
}

/** A whole number from `least` to `most`. */
export function whole(least: number, most: number, ubl: string): Field<number | null> {
  return { shape: { kind: 'whole', least, most }, isRequired: false, ubl };
}

export function object<M extends Members>(members: M, ubl: string): Field<ValuesOf<M> | null> {
  return { shape: { kind: 'object', members }, isRequired: false, ubl };
}

export function list<M extends Members>(members: M, ubl: string): Field<readonly ValuesOf<M>[] | null> {
  return { shape: { kind: 'list', members, mayBeEmpty: true }, isRequired: false, ubl };
}

/** Without a row there is no document. */
export function filledList<M extends Members>(members: M, ubl: string): Field<readonly ValuesOf<M>[]> {
  return { shape: { kind: 'list', members, mayBeEmpty: false }, isRequired: true, ubl };
}

/** All members below some, with their paths: `document.docItems[].docItemQty`. */
export function fieldsBelow(members: Members, above = ''): readonly (readonly [path: string, Field<unknown>])[] {
  return Object.entries(members).flatMap(([name, field]) => {
    const path = `${above}${name}`;
    const { shape } = field;
    if (shape.kind === 'object') return [[path, field] as const, ...fieldsBelow(shape.members, `${path}.`)];
    if (shape.kind === 'list') return [[path, field] as const, ...fieldsBelow(shape.members, `${path}[].`)];
    return [[path, field] as const];
  });
}
