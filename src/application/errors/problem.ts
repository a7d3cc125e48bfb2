import { type Detail, renderDetail } from '../../domain/messages/detail.ts';
import { type Language, OPERATOR_LANGUAGE } from '../../domain/messages/languages.ts';
import { type ErrorCode, PROBLEM_CATALOGUE } from './problem-catalogue.ts';

type ProblemOptions = { readonly retryAfterSeconds?: number; readonly allow?: string };

/** What a caller of the API must fix. Thrown anywhere, turned into a response in one place. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ErrorCode | null;
  readonly status: number;
  readonly title: string;
  /** In English, for logs and for callers who ask for no language. */
  readonly detail: string;
  readonly retryAfterSeconds: number | null;
  /** The methods that a resource has, when another one was used. */
  readonly allow: string | null;

  readonly #detail: Detail;

  constructor(code: ErrorCode | null, status: number, title: string, detail: Detail, options: ProblemOptions = {}) {
    const english = renderDetail(OPERATOR_LANGUAGE, detail);
    super(`${code ?? status}: ${english}`);
    this.code = code;
    this.status = status;
    this.title = title;
    this.detail = english;
    this.#detail = detail;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.allow = options.allow ?? null;
  }

  detailIn(language: Language): string {
    return renderDetail(language, this.#detail);
  }
}

/** A problem of the catalogue. */
export function problem(code: ErrorCode, detail: Detail, options?: ProblemOptions): Problem {
  const row = PROBLEM_CATALOGUE[code];
  return new Problem(code, row.status, row.title, detail, options);
}

/** A problem without a code of the catalogue; the HTTP status says what kind it is. */
export function plainProblem(status: number, title: string, detail: Detail, options?: ProblemOptions): Problem {
  return new Problem(null, status, title, detail, options);
}
