export type Value = string | number | Uint8Array | null;

/** A table's values in the order of its columns. */
export type Row = readonly Value[];

export type TableShape = {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key, in the key's order. */
  readonly key: readonly string[];
};

/** The database that is copied. It stands still as long as it is open. */
export type CopySource = {
  /** The same for the same database, wherever it lies. */
  readonly identity: string;
  readonly versions: readonly number[];
  /** All tables with content of their own; those that others refer to come first. */
  readonly tables: readonly TableShape[];
  readonly count: (table: TableShape) => number;
  /** The next rows in the order of the key, bounded in number and in bytes; none at the end. */
  readonly batch: (table: TableShape, after: Row | null) => readonly Row[];
};

/** The database that is filled. */
export type CopyTarget = {
  /** Refuses what is neither empty nor an unfinished copy of the same source. Returns whether it is the latter. */
  readonly begin: (source: CopySource, now: number) => Promise<{ readonly isResumed: boolean }>;
  readonly count: (table: TableShape) => Promise<number>;
  /** The greatest key there is. */
  readonly lastKey: (table: TableShape) => Promise<Row | null>;
  /** All of them or none. */
  readonly insert: (table: TableShape, rows: readonly Row[]) => Promise<void>;
  /** Rows behind one key and up to another, in the order of the key. */
  readonly range: (table: TableShape, after: Row | null, upTo: Row, limit: number) => Promise<readonly Row[]>;
  /** From now on one can work on it. */
  readonly finish: (now: number) => Promise<void>;
};

/** A SHA-256 over rows, taken one after the other. */
export type RowDigest = { readonly add: (row: Row) => void; readonly hex: () => string };

export type CopyStep = {
  readonly act: 'copying' | 'verifying';
  readonly table: string;
  readonly done: number;
  readonly total: number;
};
