import type { HttpAnswer } from './authority-http.ts';
import { readJsonAnswer } from './json-answer.ts';
import type { JsonObject } from './json-object.ts';

const MIB = 1_048_576;
/** Far above the longest list known, far below what could hurt us. */
const MAX_CATALOGUE_BYTES = 4 * MIB;
/** Room for a day's or a month's documents in one answer. */
const MAX_DOCUMENTS_BYTES = 32 * MIB;

/** One of the authority's services, and what its answer is read as. */
export type AuthorityService<Result> = {
  /** The same code does not mean the same in both programs. */
  readonly api: 'query' | 'receiver';
  /** Below `/api/v1/`. */
  readonly path: string;
  readonly maxAnswerBytes: number;
  /** Whether a missing right (E1011) concerns this one download and not who asks. */
  readonly isDownload: boolean;
  readonly read: (exchange: Exchange) => Result;
};

/** An answer, and to what. */
export type Exchange = HttpAnswer & {
  readonly service: Pick<AuthorityService<unknown>, 'api' | 'isDownload'>;
  /** Host and path, for people. */
  readonly place: string;
};

export function catalogueService(path: string): AuthorityService<JsonObject> {
  return { api: 'query', path, maxAnswerBytes: MAX_CATALOGUE_BYTES, isDownload: false, read: readJsonAnswer };
}

export function documentsService(name: string, isDownload = false): AuthorityService<JsonObject> {
  const path = `documents/${name}`;
  return { api: 'query', path, maxAnswerBytes: MAX_DOCUMENTS_BYTES, isDownload, read: readJsonAnswer };
}
