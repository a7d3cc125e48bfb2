import type { Engine, SqlValue } from '../../../src/adapters/sql/engine.ts';
import type { Clock, Platform } from '../../../src/application/ports/platform.ts';
import type { Life } from '../replica/replica-platform.ts';
import type { Chance } from './chance.ts';
import type { RunStatement } from './database.ts';
import type { ArmedFaults } from './fault-plan.ts';
import type { Trace } from './trace.ts';
import type { Pace, VirtualTime } from './virtual-time.ts';

/** Of the documents, and of the turns in which requests are sent: most commits change only these. */
export type Versions = { readonly documents: number; readonly turns: number };

/** What is committed, as nobody of the service sees it: the promises are held against it. */
export type Committed = {
  /** Other ones after each commit that changed such rows. */
  readonly versions: () => Versions;
  /** The process whose commit was the last one; null before the first, and for a database that does not tell. */
  readonly writer: (() => number | null) | null;
  /** Returns what gives the rows of a statement, in both dialects, as they were after the last event. */
  readonly watch: <Row>(text: string) => Promise<() => readonly Row[]>;
  readonly read: <Row>(text: string, parameters: readonly SqlValue[]) => Promise<readonly Row[]>;
};

/** A process that opens the database. */
export type DatabaseUser = {
  readonly index: number;
  readonly name: string;
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly faults: ArmedFaults;
  readonly life: Life;
  readonly chance: Chance;
  /** With the clock of the machine. */
  readonly platform: Platform;
  readonly run: RunStatement;
  readonly crashFor: (ms: number) => void;
};

/** What can happen to a server that processes share. */
export type ServerFaults = {
  /** Its clock is so much ahead of the true time. */
  readonly setOffset: (ms: number) => void;
  /** It stops, with all connections, and is there again after so long. */
  readonly restart: (time: VirtualTime, ms: number) => void;
  readonly heal: () => void;
};

/** The database of one history. */
export type HistoryDatabase = {
  readonly committed: Committed;
  /** Calls `onOpen` with the clock that the service goes by; what it returns breaks all connections, as a crash does. */
  readonly open: (user: DatabaseUser, onOpen: (engine: Engine, clock: Clock) => void) => () => void;
  readonly pace: Pace;
  /** Null for a database without a server. */
  readonly server: ServerFaults | null;
  /** For the accounts at the end. */
  readonly openForChecks: () => Engine;
  readonly close: () => Promise<void>;
};
