import type { TenantChange } from '../../application/errors/tenant-changed.ts';
import type { Random } from '../../application/ports/platform.ts';
import type { StoredDocument } from '../../application/ports/storage/lists.ts';
import type { NewSubmission } from '../../application/ports/storage/outbound/store-submission.ts';

export type SqlValue = string | number | Uint8Array | null;

// One text of a statement serves both engines. Engine-specific parts of a shared statement stand in marked comments,
// /*postgres …*/ and /*sqlite …*/: that engine's `statementText` makes them part of the statement, the other skips them.

/** Runs statements. Parameters are written $1, $2, … in the text, as in PostgreSQL. */
export type Sql = {
  readonly all: <Row>(text: string, parameters: readonly SqlValue[]) => Promise<readonly Row[]>;
  readonly get: <Row>(text: string, parameters: readonly SqlValue[]) => Promise<Row | null>;
  /** Returns how many rows were changed. */
  readonly run: (text: string, parameters: readonly SqlValue[]) => Promise<number>;
  /**
   * Runs statements that must all see the same committed state. Within a transaction only its locks guarantee that. One that waits for
   * anything but its statements is long: no other waits for it.
   */
  readonly snapshot: <Result>(work: (sql: Sql) => Promise<Result>, span?: 'short' | 'long') => Promise<Result>;
  /**
   * Takes an exclusive lock by name, across all processes, until the transaction ends. Statements issued after this one wait until
   * the lock is held, and see what the lock's previous holder committed. Does nothing outside a transaction, nor on an engine
   * with a single writer.
   */
  readonly lock: (name: string) => void;
  /** Takes those of the locks that are free, without waiting; returns their names. All of them where there is nothing to lock. */
  readonly tryLocks: (names: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Whether a parameter can be a list, as in `row-lists.ts`: one statement for many rows, which then cost little more than one. */
  readonly takesLists: boolean;
};

/** Connections by state, the work that waits for one, and how many there may be. */
export type Connections = {
  readonly idle: number;
  readonly busy: number;
  readonly waiting: number;
  readonly limit: number;
};

/** What became of submissions that share a transaction, in their order: what was stored of each, or why it was not, or, where nothing was, whose key is taken. */
export type GroupOutcome =
  | { readonly stored: readonly (StoredDocument | TenantChange | null)[] }
  | { readonly taken: readonly boolean[] };

/** Null where a transaction of the calling thread is the way, now or always. */
export type StoreGroup = (submissions: readonly NewSubmission[], random: Random) => Promise<GroupOutcome | null>;

/** A database. Statements outside a transaction see what is committed. */
export type Engine = Sql & {
  /**
   * Atomic, and durable when it returns. Transactions that wait at the same time may share one commit. `work` is run again after
   * a conflict with another transaction, or when one of the same commit fails.
   */
  readonly transaction: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;
  /**
   * Runs one statement that writes a large value, in a transaction of its own that is durable when the next one is, without delaying
   * other transactions. The buffer of the last parameter may be transferred to another thread: do not use it afterwards.
   */
  readonly runLargeWrite: (text: string, parameters: readonly [...SqlValue[], Uint8Array]) => Promise<void>;
  /** Stores submissions with small files in one transaction on another thread; no two of them have the same key. */
  readonly storeGroup: StoreGroup;
  /** Whether transactions run one after the other. */
  readonly hasOneWriter: boolean;
  /**
   * Runs a text of several statements, such as a migration, within the given transaction. Throws LockNotFree where it set a limit
   * to how long it waits for a lock.
   */
  readonly script: (sql: Sql, text: string) => Promise<void>;
  /** Builds what a migration leaves to be built outside of its transaction. */
  readonly afterMigration: (version: number, onStep?: OnStep) => Promise<void>;
  /** Returns when that is there, whichever process builds it. */
  readonly afterMigrations: () => Promise<void>;
  /** The time of the server that all processes share; null where each process has the clock of the same machine. */
  readonly serverTime: (() => Promise<number>) | null;
  /** Settings of the server by which what is committed may be lost or damaged when its machine fails, and which no client can change. */
  readonly unsafeSettings: () => Promise<readonly string[]>;
  /** Of this process to a server; null where there is none. */
  readonly connections: () => Connections | null;
  readonly close: () => Promise<void>;
};

/** Takes a sentence about what is begun. */
export type OnStep = (step: string) => void;

/** Others use a table that a script needs for itself alone. */
export class LockNotFree extends Error {
  override readonly name = 'LockNotFree';
}
