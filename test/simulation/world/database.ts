import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import type { Engine, Sql } from '../../../src/adapters/sql/engine.ts';
import type { Connection } from '../../../src/adapters/sql/sqlite/connection.ts';
import type { Life } from '../replica/replica-platform.ts';
import type { Chance } from './chance.ts';
import type { Target } from './fault-plan.ts';

/** A file system in memory where there is one: the histories test the order of writes, not the disk. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export type DatabaseFolder = { readonly path: string; readonly remove: () => void };

export function createFolder(): DatabaseFolder {
  const path = mkdtempSync(join(FOLDER, 'dostava-simulation-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs a statement, or does with it what the plan says. */
export type RunStatement = <Result>(targets: readonly Target[], run: () => Result) => Result;

const WRITE = /^\s*(?:insert|update|delete|with)\b/iu;
/** What is written again and again while nothing happens: a fault there would be lost on it. */
const POLLING = /\brecurring_task\b|\bpace\b/u;
/** The tables that promises are held against after every step. */
const OF_DOCUMENTS = /\b(?:outbound|outbound_void|inbound)\b/u;
const OF_TURNS = /\bpace\b/u;

/** Which of them a transaction may have changed. */
export type Touched = { documents: boolean; turns: boolean };

/** Looks for work are most of what is read: a fault there hardly ever meets anything else. */
export const LOOK = /\brecurring_task\b|\bpace\b|\bwith recursive walk\b|\bselect 1 as due\b/u;
const READ = /^\s*select\b/iu;

const ANY: readonly Target[] = ['statement'];
const READING: readonly Target[] = ['statement', 'read'];
const WRITING: readonly Target[] = ['statement', 'write'];
const COMMITTING: readonly Target[] = ['statement', 'commit'];

export type FaultyConnectionNeeds = {
  readonly connection: Connection;
  readonly run: RunStatement;
  /** Called after a commit that may have changed what is watched. */
  readonly onCommit: (touched: Readonly<Touched>) => void;
};

/** A connection of a replica whose every statement passes by the plan. */
export function faultyConnection({ connection, run, onCommit }: FaultyConnectionNeeds): Connection {
  let hasWritten = false;
  const touched: Touched = { documents: false, turns: false };

  function prepare(text: string): StatementSync {
    const statement = connection.prepare(text);
    if (text === 'commit') return commitment(statement);
    const isWrite = WRITE.test(text) && !POLLING.test(text);
    const isOfDocuments = WRITE.test(text) && OF_DOCUMENTS.test(text);
    const isOfTurns = WRITE.test(text) && OF_TURNS.test(text);
    const targets = isWrite ? WRITING : READ.test(text) && !LOOK.test(text) ? READING : ANY;
    function carriedOut<Result>(carryOut: () => Result): Result {
      touched.documents ||= isOfDocuments;
      touched.turns ||= isOfTurns;
      return run(targets, carryOut);
    }
    return {
      all: (...parameters: Parameters<StatementSync['all']>) => carriedOut(() => statement.all(...parameters)),
      get: (...parameters: Parameters<StatementSync['get']>) => carriedOut(() => statement.get(...parameters)),
      run(...parameters: Parameters<StatementSync['run']>) {
        const result = carriedOut(() => statement.run(...parameters));
        if (isWrite && result.changes > 0) hasWritten = true;
        return result;
      },
    } as StatementSync;
  }

  function commitment(statement: StatementSync): StatementSync {
    const commit = () => {
      const result = statement.run();
      if (touched.documents || touched.turns) onCommit(touched);
      return result;
    };
    return { run: () => run(hasWritten ? COMMITTING : ANY, commit) } as StatementSync;
  }

  return {
    exec(text) {
      if (text === 'begin immediate') {
        hasWritten = false;
        touched.documents = false;
        touched.turns = false;
      }
      run(ANY, () => connection.exec(text));
    },
    prepare,
    get isOpen() {
      return connection.isOpen;
    },
    get isTransaction() {
      return connection.isTransaction;
    },
    close: () => connection.close(),
  };
}

/** How often a statement takes longer than no time at all, and how long at most. */
const SLOW_STATEMENTS = 0.06;
const MOST_MS = 1_500;
const SLOW_IN_TRANSACTION = 0.01;
const MOST_IN_TRANSACTION_MS = 200;

/**
 * The database of a replica, where statements take time, so that those of other replicas come in between. What is large is written in
 * place instead of on a thread.
 */
export function slowEngine(engine: Engine, life: Life, chance: Chance): Engine {
  const wait = (probability: number, most: number): Promise<void> | null =>
    chance.happens(probability) ? new Promise((resolve) => void life.after(chance.span(1, most), resolve)) : null;

  function slow(sql: Sql, inTurn: <Result>(run: () => Promise<Result>) => Promise<Result>): Sql {
    return {
      ...sql,
      all: (text, parameters) => inTurn(() => sql.all(text, parameters)),
      get: (text, parameters) => inTurn(() => sql.get(text, parameters)),
      run: (text, parameters) => inTurn(() => sql.run(text, parameters)),
    };
  }

  const anyOrder = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    await wait(SLOW_STATEMENTS, MOST_MS);
    return run();
  };

  /** Statements of one transaction are carried out in the order in which they were issued, on every engine. */
  let last: Promise<unknown> | null = null;
  /** Counts beginnings and ends of transactions: what one had issued when it failed is not carried out within the next. */
  let turn = 0;
  function oneByOne<Result>(run: () => Promise<Result>): Promise<Result> {
    const pause = wait(SLOW_IN_TRANSACTION, MOST_IN_TRANSACTION_MS);
    if (pause === null && last === null) return run();
    const issuedIn = turn;
    const next = Promise.all([last, pause]).then(() => {
      if (turn !== issuedIn) throw new Error('The transaction of the statement is over.');
      return run();
    });
    const ended = next
      .catch(() => undefined)
      .then(() => {
        if (last === ended) last = null;
      });
    last = ended;
    return next;
  }

  const inTransaction = new WeakMap<Sql, Sql>();
  function within(sql: Sql): Sql {
    const known = inTransaction.get(sql) ?? slow(sql, oneByOne);
    inTransaction.set(sql, known);
    return known;
  }

  async function transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    await wait(SLOW_STATEMENTS, MOST_MS);
    return engine.transaction(async (sql) => {
      turn += 1;
      last = null;
      return work(within(sql)).finally(() => {
        turn += 1;
      });
    });
  }

  return {
    ...engine,
    ...slow(engine, anyOrder),
    transaction,
    runLargeWrite: (text, parameters) => transaction(async (sql) => void (await sql.run(text, parameters))),
  };
}
