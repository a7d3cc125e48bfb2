import type { Percentiles } from '../report/percentiles.ts';

export type Call = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Where nine digits of the body become another number in each request, together with its idempotency key; null for the same each time. */
  readonly numberAt: number | null;
};

/** Calls that are made in turns, and the statuses that count as answers. */
export type Plan = {
  readonly url: string;
  readonly calls: readonly Call[];
  readonly expected: readonly number[];
};

/** So many clients, each of which waits for an answer before it asks again. */
export type ClosedLoop = {
  readonly kind: 'closed';
  readonly connections: number;
  readonly ms: number;
  /** Goes on until there are so many, however long they take. */
  readonly atLeast: number;
  readonly atMost: number;
};

/** So many requests a second, whether or not those before them are answered. */
export type OpenLoop = { readonly kind: 'open'; readonly perSecond: number; readonly ms: number };

export type LoadOrder = { readonly plan: Plan; readonly loop: ClosedLoop | OpenLoop };

export type LoadResult = Percentiles & {
  /** Answered as expected. */
  readonly answered: number;
  readonly perSecond: number;
  /** Others by their status; 0 where the connection broke. */
  readonly others: Readonly<Record<string, number>>;
  /** Of the last answer that was expected, without its head. */
  readonly answerBytes: number;
};
