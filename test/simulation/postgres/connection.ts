import type pg from 'pg';
import type { DatabaseUser } from '../world/history-database.ts';
import { serverError } from './scheduler.ts';
import type { SimulatedServer } from './server.ts';
import type { Answer, Session, Statement } from './session.ts';
import { atTime, natureOf, targetsOf } from './statement.ts';
import { applyStatementFault } from './statement-faults.ts';

/** One connection of a process, as the network and the server see it. */
export type Connection = {
  /** Statements are carried out one after another, in the order in which they were issued. */
  readonly issue: (statement: Statement, done: (answer: Answer) => void) => void;
  /** The process has closed it or is gone. What it had sent before may still be carried out. */
  readonly leave: () => void;
  /** The network fails. The server notices at once or late. */
  readonly cut: (reason: Error) => void;
  /** The server ends it. */
  readonly kill: (reason: Error) => void;
};

export type Issued = { readonly statement: Statement; readonly done: (answer: Answer) => void };

type Transaction = {
  begin: string | null;
  hasWritten: boolean;
  /** Whether it has written what promises are held against after its commit. */
  hasWrittenDocuments: boolean;
  statements: number;
  rows: number;
};

/** How often a statement takes longer than no time at all, and how long at most. */
const SLOW_STATEMENTS = 0.06;
const MOST_MS = 1_500;
const SLOW_IN_TRANSACTION = 0.01;
const MOST_IN_TRANSACTION_MS = 200;
/** The limits of the adapter, in virtual time: of a statement, of an idle transaction, and of the driver's patience. */
const STATEMENT_MS = 15_000;
const DRIVER_MS = 20_000;
const BEGUN: pg.QueryResult = { command: 'BEGIN', rowCount: null, rows: [], oid: 0, fields: [] };

export function createConnection(
  server: SimulatedServer,
  session: Session,
  user: DatabaseUser,
  onBroken: (error: Error) => void,
): Connection {
  const { time, trace, faults, life, name } = user;
  const { scheduler } = server;
  const chance = user.chance;
  let queue: Issued[] = [];
  let isAttached = true;
  let isSent = false;
  let transaction: Transaction | null = null;
  let activeAt = time.now();
  let inbox: (() => void)[] = [];

  /** What comes from the server reaches a process in order, and one that stands still when it goes on. */
  function tell(run: () => void): void {
    if (inbox.length === 0 && life.pausedUntil() <= time.now()) {
      run();
      return;
    }
    inbox.push(run);
    if (inbox.length > 1) return;
    life.after(0, () => {
      const told = inbox;
      inbox = [];
      for (const one of told) one();
    });
  }

  function next(): void {
    const [issued] = queue;
    if (issued === undefined) {
      if (!isAttached) endAtServer(0);
      return;
    }
    const isFirst = transaction === null || transaction.statements === 0;
    const [often, most] = isFirst ? [SLOW_STATEMENTS, MOST_MS] : [SLOW_IN_TRANSACTION, MOST_IN_TRANSACTION_MS];
    time.after(chance.happens(often) ? chance.span(1, most) : 0, () => {
      if (queue[0] === issued && !isSent) perform(issued);
    });
  }

  function perform(issued: Issued): void {
    const nature = natureOf(issued.statement.text);
    if (nature.commits && transaction?.hasWritten === true) {
      time.stir();
      trace.add(`${name} commits ${transaction.rows} rows in ${transaction.statements} statements`);
    }
    const isStruck = isAttached && faults.hasStatementFaults();
    const fault = isStruck
      ? faults.statementFault(user.index, targetsOf(nature, transaction?.hasWritten === true))
      : null;
    if (fault === null) send(issued.statement);
    else {
      trace.add(`${name} ${fault.kind} at ${fault.target}`);
      applyStatementFault(fault, { issued, send, cut, forget, crashFor: user.crashFor });
    }
  }

  /** `after` takes the place of the answer. */
  function send(statement: Statement, after: (() => void) | null = null): void {
    isSent = true;
    activeAt = time.now();
    const begin = transaction?.begin ?? null;
    if (transaction !== null) transaction.begin = null;
    scheduler.run(
      session,
      { ...atTime(statement, server.clockAt(time)), begin },
      {
        onWait() {
          time.stir();
          trace.add(`${name} waits for a lock`);
          limitWait(queue[0]);
        },
        onAnswer(answer) {
          isSent = false;
          activeAt = time.now();
          note(statement.text, answer);
          const issued = queue.shift();
          if (isAttached && after !== null) after();
          else if (isAttached && issued !== undefined) tell(() => issued.done(answer));
          if (isAttached || queue.length > 0 || after === null) next();
        },
      },
    );
  }

  function note(text: string, answer: Answer): void {
    const { ends, commits, writes, isRoutine, writesDocuments } = natureOf(text);
    const rows = 'result' in answer && writes ? (answer.result.rowCount ?? 0) : 0;
    const hasChanged = rows > 0 && !isRoutine;
    const hasChangedDocuments = hasChanged && writesDocuments;
    const isCommitted =
      transaction === null ? hasChangedDocuments : commits && transaction.hasWrittenDocuments && 'result' in answer;
    if (isCommitted) server.noteCommit();
    if (transaction !== null) {
      transaction.statements += 1;
      transaction.rows += rows;
      transaction.hasWritten ||= hasChanged;
      transaction.hasWrittenDocuments ||= hasChangedDocuments;
    }
    if (ends) transaction = null;
  }

  /** Takes no statement of its own: the server begins with the first that follows. Its limits run in virtual time. */
  function begin({ statement, done }: Issued): void {
    const [text = ''] = statement.text.split(';');
    transaction = { begin: text, hasWritten: false, hasWrittenDocuments: false, statements: 0, rows: 0 };
    limitIdleness(transaction);
    process.nextTick(() => tell(() => done({ result: BEGUN })));
  }

  function limitWait(issued: Issued | undefined): void {
    const isStillWaiting = () => queue[0] === issued && scheduler.isWaiting(session);
    if (transaction !== null) {
      time.after(STATEMENT_MS, () => {
        if (isStillWaiting()) scheduler.cancel(session, '57014', 'canceling statement due to statement timeout');
      });
    } else {
      // Outside of transactions only the driver has a limit: the server goes on.
      time.after(DRIVER_MS, () => {
        if (isAttached && isStillWaiting()) cut(new Error('Query read timeout'));
      });
    }
  }

  function limitIdleness(one: Transaction): void {
    const check = () => {
      if (transaction !== one) return;
      const idleMs = isSent || queue.length > 0 ? 0 : time.now() - activeAt;
      if (idleMs < STATEMENT_MS) time.after(STATEMENT_MS - idleMs, check);
      else kill(serverError('25P03', 'terminating connection due to idle-in-transaction timeout', 'FATAL'));
    };
    time.after(STATEMENT_MS, check);
  }

  /** Without the process, an open transaction is rolled back as soon as the server has noticed. */
  function endAtServer(afterMs: number): void {
    time.after(afterMs, () => {
      if (!server.connections.delete(connection)) return;
      if (transaction === null || transaction.begin !== null) return server.giveBack(session);
      transaction = null;
      scheduler.run(session, { text: 'rollback', values: [] }, { onAnswer: () => server.giveBack(session) });
    });
  }

  /** Statements that were not sent never will be. */
  function forget(): void {
    queue = queue.slice(0, isSent ? 1 : 0);
  }

  function detach(reason: Error | null): boolean {
    if (!isAttached) return false;
    isAttached = false;
    if (reason !== null) tell(() => onBroken(reason));
    return true;
  }

  function cut(reason: Error): void {
    if (!detach(reason)) return;
    time.stir();
    trace.add(`${name} loses a connection: ${reason.message}`);
    forget();
    if (queue.length === 0) endAtServer(chance.happens(0.5) ? 0 : chance.span(1, STATEMENT_MS));
  }

  function kill(reason: Error): void {
    detach(reason);
    forget();
    if (queue.length === 0) endAtServer(0);
    else scheduler.cancel(session, '57P01', reason.message);
  }

  const connection: Connection = {
    issue(statement, done) {
      if (natureOf(statement.text).begins) return begin({ statement, done });
      queue.push({ statement, done });
      if (queue.length === 1) next();
    },
    leave() {
      if (!detach(null)) return;
      queue = queue.slice(0, chance.whole(isSent ? 1 : 0, queue.length));
      if (queue.length === 0) endAtServer(0);
    },
    cut,
    kill,
  };
  server.connections.add(connection);
  return connection;
}
