import type { Exchange, ServiceTraits } from '../answers/exchange.ts';
import { readJsonAnswer } from '../answers/json-answer.ts';
import type { JsonObject } from '../answers/json-object.ts';

const MIB = 1_048_576;
/** Far above the longest list that the authority is known to serve, and small enough to hold in memory. */
const MAX_CATALOGUE_BYTES = 4 * MIB;
/** One answer may list a month of documents, the longest range that the authority allows (E4014). */
const MAX_DOCUMENTS_BYTES = 32 * MIB;

/** One of the authority's services and how its answer is read. */
export type AuthorityService<Result> = ServiceTraits & {
  /** Relative to `/api/v1/`. */
  readonly path: string;
  readonly maxAnswerBytes: number;
  readonly read: (exchange: Exchange) => Result;
};

export function catalogueService(path: string): AuthorityService<JsonObject> {
  return { api: 'query', path, maxAnswerBytes: MAX_CATALOGUE_BYTES, isDownload: false, read: readJsonAnswer };
}

export function documentsService(name: string, isDownload = false): AuthorityService<JsonObject> {
  const path = `documents/${name}`;
  return { api: 'query', path, maxAnswerBytes: MAX_DOCUMENTS_BYTES, isDownload, read: readJsonAnswer };
}
