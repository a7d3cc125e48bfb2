import type pg from 'pg';
import { statementText } from '../../../src/adapters/sql/postgres/dialect.ts';
import type { Committed } from '../world/history-database.ts';
import type { Scheduler } from './scheduler.ts';

type Watched = { readonly text: string; rows: readonly unknown[] };

export type WatchedDatabase = Committed & {
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
    writer: () => null,
    noteCommit() {
      version += 1;
    },
    read,
    async watch<Row>(text: string) {
      const one: Watched = { text, rows: await read(text, []) };
      watched.push(one);
      return () => one.rows as readonly Row[];
    },
    async refresh() {
      if (seen === version) return;
      seen = version;
      for (const one of watched) one.rows = (await observer.query(statementText(one.text))).rows;
    },
  };
}
