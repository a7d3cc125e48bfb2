export type SqlValue = string | number | Uint8Array | null;

/** Runs statements. Parameters are written $1, $2, … in the text, as PostgreSQL does. */
export type Sql = {
  readonly all: <Row>(text: string, parameters: readonly SqlValue[]) => Promise<readonly Row[]>;
  readonly get: <Row>(text: string, parameters: readonly SqlValue[]) => Promise<Row | null>;
  /** Returns how many rows were changed. */
  readonly run: (text: string, parameters: readonly SqlValue[]) => Promise<number>;
  /** Several statements that must see the same moment. Within a transaction they see what its locks hold still. */
  readonly snapshot: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;
  /**
   * Until this transaction is over, every other one that asks for the same name waits, whichever process it is in. The
   * statements after this one wait for it, and see what the transaction before has left. Nothing happens outside a
   * transaction, nor where there is one writer.
   */
  readonly lock: (name: string) => void;
};

/** A database. Statements outside a transaction see what is committed. */
export type Engine = Sql & {
  /**
   * All or nothing; durable when it returns. Transactions that wait together may be committed together; where one collides
   * with another, or with one that fails, its work is run anew.
   */
  readonly transaction: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;
  /**
   * One statement with much to write, in a transaction of its own that is durable when it returns. It runs where nobody has to
   * wait for it. The last parameter, the bytes, changes hands and does not come back.
   */
  readonly runApart: (text: string, parameters: readonly [...SqlValue[], Uint8Array]) => Promise<void>;
  /** Runs a migration's text, several statements, within the transaction of the given handle. */
  readonly script: (sql: Sql, text: string) => Promise<void>;
  readonly close: () => Promise<void>;
};
