import { EventEmitter } from 'node:events';
import type pg from 'pg';
import type { SqlValue } from '../../../src/adapters/sql/engine.ts';
import type { DatabaseUser } from '../world/history-database.ts';
import { type Connection, createConnection } from './connection.ts';
import type { SimulatedServer } from './server.ts';
import type { Answer, Statement } from './session.ts';

type Done = (error: Error | null, result?: pg.QueryResult) => void;

/** To open a connection takes the server some milliseconds. */
const LEAST_MS = 1;
const MOST_MS = 30;

/**
 * Stands where the driver's client does, under the driver's own pool: what it is asked to send becomes an event of the history. What the
 * pool reads of a client (`_queryable`, `_ending`) has the driver's names, and errors have the driver's words.
 */
export function clientOf(server: SimulatedServer, user: DatabaseUser, clients: Set<{ readonly crash: () => void }>) {
  return class SimulatedClient extends EventEmitter {
    _queryable = true;
    _ending = false;
    #connection: Connection | null = null;
    readonly #pending = new Set<Done>();

    connect(done: (error: Error | null) => void): void {
      const { life, chance, time } = user;
      if (life.isOver()) return void process.nextTick(done, new Error('Connection terminated'));
      life.after(chance.span(LEAST_MS, MOST_MS), () => {
        if (server.isDown(time)) {
          done(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
          return;
        }
        const connecting = server.take().then((session) => {
          const connection = createConnection(server, session, user, (error) => this.#break(error));
          clients.add(this);
          this.#connection = connection;
          if (life.isOver()) connection.leave();
          done(null);
        });
        server.scheduler.hold(connecting);
      });
    }

    query(asked: string | pg.QueryConfig, values?: readonly SqlValue[] | Done, callback?: Done): unknown {
      const text = typeof asked === 'string' ? asked : asked.text;
      const given = typeof values === 'function' ? [] : (values ?? []);
      const done = typeof values === 'function' ? values : callback;
      if (done !== undefined) return this.#send({ text, values: given }, done);
      return new Promise((resolve, reject) => {
        this.#send({ text, values: given }, (error, result) => (error === null ? resolve(result) : reject(error)));
      });
    }

    #send(statement: Statement, done: Done): void {
      const refusal = !this._queryable
        ? 'Client has encountered a connection error and is not queryable'
        : 'Client was closed and is not queryable';
      if (!this._queryable || this._ending || this.#connection === null) {
        process.nextTick(done, new Error(refusal));
        return;
      }
      this.#pending.add(done);
      this.#connection.issue(statement, (answer: Answer) => {
        if (!this.#pending.delete(done)) return;
        if ('error' in answer) done(answer.error);
        else done(null, answer.result);
      });
    }

    #break(error: Error): void {
      this._queryable = false;
      if (this.listenerCount('error') > 0) this.emit('error', error);
      for (const done of this.#pending) process.nextTick(done, error);
      this.#pending.clear();
    }

    /** The process is gone: nobody hears of its statements any more, but what waits for them must not wait for ever. */
    crash(): void {
      this.#connection?.leave();
      this.#break(new Error('Connection terminated'));
    }

    end(done: () => void): void {
      this._ending = true;
      this.#connection?.leave();
      process.nextTick(done);
    }

    ref(): void {
      // There is no socket that keeps the process alive.
    }

    unref(): void {
      // As above.
    }
  };
}
