import type { ErrorCode } from '../../application/errors/problem-catalogue.ts';
import type { TSchema } from '../json-schema.ts';
import type { Parameters } from '../requests/query.ts';

/** Headers by name; the description of a schema is that of its header. */
export type HeaderSchemas = Readonly<Record<string, TSchema>>;

/** What a call says of itself. What all calls have in common is added by the interface description. */
export type CallDescription = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly operationId: string;
  /** One short sentence; menus and lists of calls show it. */
  readonly summary: string;
  /** What an integrator has to know before the first call. */
  readonly description: string;
  readonly tag: string;
  /** Bodies by HTTP status: JSON, or the bytes of a file (`format: binary`). */
  readonly success: Readonly<Record<number, TSchema>>;
  /** Headers of the answer that belong to this call alone, by HTTP status. Those that are not always sent are optional. */
  readonly answerHeaders?: Readonly<Record<number, HeaderSchemas>>;
  /** Whether an answer that succeeds has texts in the language that the caller asks for; problems always have. */
  readonly answersTexts?: boolean;
  readonly errors: readonly ErrorCode[];
  /** Answers without a code that this call alone has, by HTTP status. */
  readonly plainErrors?: Readonly<Record<number, string>>;
  /** The call needs no key: its answer is the same for everybody. */
  readonly isOpen?: boolean;
  readonly params?: TSchema;
  /** The query parameters that the call knows. Any other is refused: ignored, a misspelt one would go unnoticed. */
  readonly parameters: Parameters;
  readonly extraHeaders?: HeaderSchemas;
  /** The body that the call reads itself; all others take none. */
  readonly body?: TSchema;
};

/** Bytes as they are. Every generator sends and returns `format: binary` untouched, and quotes a plain `type: string` as JSON. */
export function isBytes(schema: TSchema): boolean {
  return schema['format'] === 'binary';
}
