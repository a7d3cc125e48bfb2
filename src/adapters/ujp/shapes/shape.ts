/** What a value in an answer must be. */
export type Shape =
  | { readonly kind: 'text' | 'number' | 'flag' | 'date' | 'date-time' | 'euid' | 'base64' | 'json-text' | 'anything' }
  | { readonly kind: 'list'; readonly of: Shape; readonly mayBeEmpty: boolean }
  | { readonly kind: 'object'; readonly members: Readonly<Record<string, Member>> };

export type Member = {
  readonly shape: Shape;
  /** Written as null where there is nothing. */
  readonly mayBeNull: boolean;
  readonly mayBeMissing: boolean;
};

export const text: Shape = { kind: 'text' };
export const number: Shape = { kind: 'number' };
export const flag: Shape = { kind: 'flag' };
/** A day, `2026-11-15`; also with a time after it. */
export const date: Shape = { kind: 'date' };
/** `2026-11-15T10:45:51`, with a blank for the `T`, a fraction or an offset. */
export const dateTime: Shape = { kind: 'date-time' };
export const euid: Shape = { kind: 'euid' };
export const base64: Shape = { kind: 'base64' };
/** A text that is JSON in turn. */
export const jsonText: Shape = { kind: 'json-text' };
export const anything: Shape = { kind: 'anything' };

export function listOf(of: Shape): Shape {
  return { kind: 'list', of, mayBeEmpty: true };
}

/** Of what nothing can be done without. */
export function filledListOf(of: Shape): Shape {
  return { kind: 'list', of, mayBeEmpty: false };
}

/** A plain shape is a member that must be there and not be null. */
export function object(members: Readonly<Record<string, Shape | Member>>): Shape & { readonly kind: 'object' } {
  const entries = Object.entries(members).map(([name, one]) => [name, 'shape' in one ? one : needed(one)] as const);
  return { kind: 'object', members: Object.fromEntries(entries) };
}

export function orNull(shape: Shape): Member {
  return { shape, mayBeNull: true, mayBeMissing: false };
}

/** Documented, but nothing of ours depends on it. */
export function optional(shape: Shape): Member {
  return { shape, mayBeNull: true, mayBeMissing: true };
}

function needed(shape: Shape): Member {
  return { shape, mayBeNull: false, mayBeMissing: false };
}
