import type pg from 'pg';
import { statementText } from '../../../src/adapters/sql/postgres/dialect.ts';
import type { Committed } from '../world/history-database.ts';
import type { Scheduler } from './scheduler.ts';
import { nameOf } from './session.ts';

type Watched = { readonly query: { readonly name: string; readonly text: string }; rows: readonly unknown[] };

export type WatchedDatabase = Committed & {
  /** Something of documents was committed. */
  readonly noteCommit: () => void;
  /** Reads again what is watched, if something was committed since. */
  readonly refresh: () => Promise<void>;
};

/** Looks at what is committed, on a connection that no process has. */
export function watchCommitted(observer: pg.Client, scheduler: Pick<Scheduler, 'hold'>): WatchedDatabase {
  const watched: Watched[] = [];
  let version = 0;
  let seen = 0;

  async function read<Row>(text: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    const reading = observer.query(statementText(text), [...parameters]);
    scheduler.hold(reading);
    return (await reading).rows as Row[];
  }

  return {
    versions: () => ({ documents: version, turns: version }),
    writer: null,
    noteCommit() {
      version += 1;
    },
    read,
    async watch<Row>(text: string) {
      const ofServer = statementText(text);
      const one: Watched = { query: { name: nameOf(ofServer), text: ofServer }, rows: await read(text, []) };
      watched.push(one);
      return () => one.rows as readonly Row[];
    },
    async refresh() {
      if (seen === version) return;
      seen = version;
      // All at once, each prepared: they are a third of what the server is asked.
      const results = await Promise.all(watched.map(({ query }) => observer.query(query)));
      for (const [index, one] of watched.entries()) one.rows = results[index]?.rows ?? [];
    },
  };
}
