import type { StoreEnvironment } from './store-environment.ts';

export type Value = string | number | Uint8Array | null;

/** Values in the order of the table's columns. */
export type Row = readonly Value[];

export type TableShape = {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key, in the key's order. */
  readonly key: readonly string[];
};

/** The database that is copied. It is locked against changes while it is open. */
export type CopySource = {
  /** Identifies the database, also when its file is moved. */
  readonly identity: string;
  /** Versions of the migrations that were applied to it. */
  readonly versions: readonly number[];
  /** The environment that it belongs to, which is copied with everything else; null where it belongs to neither. */
  readonly environment: StoreEnvironment | null;
  /** All tables to copy; tables that others refer to come first. */
  readonly tables: readonly TableShape[];
  readonly count: (table: TableShape) => number;
  /** The next rows in key order, limited in number and bytes; empty at the end. */
  readonly batch: (table: TableShape, after: Row | null) => readonly Row[];
  /** Gives it another name, so that no service finds it any more. Returns the new one. */
  readonly setAside: (now: number) => Promise<string>;
};

/** The database that is copied to. */
export type CopyTarget = {
  /** Refuses a database that is neither empty nor an unfinished copy of the same source. `isResumed` means the latter. */
  readonly begin: (source: CopySource, now: number) => Promise<{ readonly isResumed: boolean }>;
  readonly count: (table: TableShape) => Promise<number>;
  /** The greatest key in the table; null when it is empty. */
  readonly lastKey: (table: TableShape) => Promise<Row | null>;
  /** Inserts all rows or none. */
  readonly insert: (table: TableShape, rows: readonly Row[]) => Promise<void>;
  /** Rows after one key up to and including another, in key order. */
  readonly range: (table: TableShape, after: Row | null, upTo: Row, limit: number) => Promise<readonly Row[]>;
  /** Marks the copy as complete: from now on a service may start on it. */
  readonly finish: (now: number) => Promise<void>;
};

/** A SHA-256 over a sequence of rows. */
export type RowDigest = { readonly add: (row: Row) => void; readonly hex: () => string };

export type CopyStep = {
  readonly act: 'copying' | 'verifying';
  readonly table: string;
  readonly done: number;
  readonly total: number;
};
