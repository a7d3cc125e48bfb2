import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { type Cluster, createCluster } from './postgres-cluster.ts';

export type PostgresServer = {
  /** Makes an empty database and returns its address. */
  readonly createDatabase: () => Promise<string>;
  /** At once, without a word to those who are connected. */
  readonly stop: () => Promise<void>;
  /** On the same data as before. */
  readonly start: () => Promise<void>;
  readonly folder: string;
};

/**
 * Runs the server as long as the standard input is open: whatever way the tests end, the server and its folder are gone.
 * Those who are told to keep it stop the server alone.
 */
const KEEPER = `
  trap '' INT TERM HUP
  folder=$1; shift
  "$@" & server=$!
  read -r order
  kill -s QUIT "$server"; wait "$server"
  [ "$order" = keep ] || rm -rf "$folder"
`;

/** What is committed survives the end of the server, not of the machine. */
const SETTINGS = ['listen_addresses=', 'fsync=off', 'full_page_writes=off'];
const LIMITS = ['max_connections=200', 'shared_buffers=64MB'];

let shared: Promise<PostgresServer> | null = null;

/** The server of this test file, from its first use to its end. */
export function postgresServer(): Promise<PostgresServer> {
  shared ??= startPostgres();
  return shared;
}

/** A server of its own, for tests that stop it. */
export async function startPostgres(): Promise<PostgresServer> {
  const cluster = await createCluster();
  let keeper = await run(cluster);
  return {
    folder: cluster.folder,
    async createDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await administer(cluster, `create database ${name}`);
      return urlOf(cluster, name);
    },
    async stop() {
      keeper.ref();
      const ended = once(keeper, 'exit');
      keeper.stdin?.end('keep\n');
      await ended;
    },
    async start() {
      keeper = await run(cluster);
    },
  };
}

async function run({ folder, data, program, account }: Cluster): Promise<ChildProcess> {
  const settings = [...SETTINGS, ...LIMITS, `unix_socket_directories=${folder}`].flatMap((setting) => ['-c', setting]);
  const keeper = spawn('sh', ['-c', KEEPER, 'sh', folder, program, '-D', data, ...settings], {
    ...account,
    cwd: folder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  await ready(keeper).catch((error: unknown) => {
    keeper.stdin?.end();
    throw error;
  });
  // The server is there for the tests, not the tests for the server: none of this keeps the process running.
  keeper.unref();
  for (const stream of [keeper.stdin, keeper.stderr]) (stream as Socket | null)?.unref();
  return keeper;
}

function ready(keeper: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let told = '';
    keeper.once('error', reject);
    keeper.stderr?.setEncoding('utf8').on('data', (text: string) => {
      told += text;
      if (/ready to accept (?:read-only )?connections/u.test(told)) resolve();
      // Those who come too early are told that "the database system is" not ready; that is no failure.
      if (/\b(?:FATAL|PANIC): {2}(?!the database system is)/u.test(told))
        reject(new Error(`PostgreSQL did not start: ${told}`));
    });
  });
}

async function administer(cluster: Cluster, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(cluster, 'postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function urlOf({ folder }: Cluster, database: string): string {
  return `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`;
}
