import type { SqlValue } from '../../src/adapters/sql/engine.ts';
import type { Percentiles } from '../report/percentiles.ts';

/** A row as a submission has left it. */
export type StoredRow = {
  readonly table: string;
  readonly columns: readonly string[];
  readonly values: readonly SqlValue[];
};

export type Read = { readonly text: string; readonly values: readonly SqlValue[] };

/** What the process of the raw engine is asked to do for so many milliseconds. */
export type RawOrder =
  | {
      readonly kind: 'write';
      readonly rows: readonly StoredRow[];
      /** Submissions in one transaction. */
      readonly together: number;
      readonly ms: number;
      readonly atMost: number;
    }
  | {
      readonly kind: 'read';
      readonly reads: readonly Read[];
      readonly ms: number;
      /** Goes on until there are so many, however long they take. */
      readonly atLeast: number;
    };

export type RawResult = Percentiles & { readonly count: number; readonly perSecond: number };
