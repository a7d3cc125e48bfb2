import { hash } from 'node:crypto';
import pg from 'pg';
import type { SqlValue } from '../../../src/adapters/sql/engine.ts';
import { types } from '../../../src/adapters/sql/postgres/dialect.ts';

export type Statement = {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** Begins the transaction whose first statement this is: a transaction sees and locks nothing before that. */
  readonly begin?: string | null;
};

export type Answer = { readonly result: pg.QueryResult } | { readonly error: Error };

/** A real connection to the server. Histories lend them to simulated ones: a new one takes the server longer than most statements. */
export type Session = {
  /** By which sessions are told apart in every run; process identifiers differ. */
  readonly ordinal: number;
  readonly pid: number;
  readonly send: (statement: Statement) => Promise<Answer>;
  readonly end: () => Promise<void>;
};

/**
 * No limit of the server runs in real time: lock waits and deadlocks are noticed by the scheduler, and time is over when virtual time is.
 * What is written is not flushed: histories test the order of writes, not the disk. Statements are prepared once, and one plan serves
 * them all: what a session has done in earlier histories must not decide in which order it finds rows.
 */
const SETTINGS =
  '-c plan_cache_mode=force_generic_plan -c deadlock_timeout=1d -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0 -c synchronous_commit=off -c jit=off';

export async function openSession(url: string, ordinal: number): Promise<Session> {
  const client = new pg.Client({ connectionString: url, options: SETTINGS, types, pipeline: true });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const [{ pid } = { pid: 0 }] = rows;
  return {
    ordinal,
    pid,
    send({ text, values, begin = null }) {
      if (begin !== null) void client.query(begin).catch(() => undefined);
      const query = isPrepared(text)
        ? { name: nameOf(text), text, values: [...values] }
        : { text, values: [...values] };
      return client.query(query).then(
        (result) => ({ result }),
        (error: Error) => ({ error }),
      );
    },
    end: () => client.end(),
  };
}

const names = new Map<string, string>();

/** By which a connection knows a statement that it has prepared. */
export function nameOf(text: string): string {
  const name = names.get(text) ?? hash('sha256', text).slice(0, 32);
  names.set(text, name);
  return name;
}

const PREPARED = /^\s*(?:select|insert|update|delete|with)\b/iu;

/** Texts that differ each time are not worth it. */
function isPrepared(text: string): boolean {
  return PREPARED.test(text) && !text.includes('to_timestamp(');
}
