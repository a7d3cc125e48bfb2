import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { type Cluster, createCluster, type Programs } from './postgres-cluster.ts';
import { databasesIn, type PostgresDatabases } from './postgres-databases.ts';

/** A server that belongs to its test alone. */
export type PostgresServer = PostgresDatabases & {
  /** At once, without a word to those who are connected. */
  readonly stop: () => Promise<void>;
  /** On the same data as before. */
  readonly start: () => Promise<void>;
};

/** Names the folder of the server that the whole test run shares; unset where a test file is run by hand. */
export const SHARED_SERVER = 'TEST_POSTGRES';

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
const UNFLUSHED = ['fsync=off', 'full_page_writes=off'];
/** Databases live for seconds: to look after each of them once a minute, or to compile a statement, never pays. */
const SHORT_LIVED = ['autovacuum=off', 'jit=off'];
const SETTINGS = ['listen_addresses=', 'max_connections=400', 'shared_buffers=64MB', ...SHORT_LIVED];

let shared: Promise<PostgresDatabases> | null = null;
/** Folders of servers that are stopped: there is no keeper that would remove them. */
const stopped = new Set<string>();

process.once('exit', () => {
  for (const folder of stopped) rmSync(folder, { recursive: true, force: true });
});

/** The server of this test run, or, where a file is run by hand, of this file. It cannot be stopped: others may use it. */
export function postgresServer(): Promise<PostgresDatabases> {
  const folder = process.env[SHARED_SERVER];
  shared ??= folder === undefined ? startPostgres() : databasesOfRun(folder);
  return shared;
}

async function databasesOfRun(folder: string): Promise<PostgresDatabases> {
  const databases = databasesIn(folder);
  // When the run is broken off, its server is gone before this file is, and has taken the databases along.
  process.once('beforeExit', () => databases.removeAll().catch(() => undefined));
  return databases;
}

/** A server of its own, for tests that stop it, or need another one than that from npm. */
export async function startPostgres(
  durability: readonly string[] = UNFLUSHED,
  programs?: Programs,
): Promise<PostgresServer> {
  const cluster = await createCluster(programs);
  let keeper = await run(cluster, durability);
  return {
    ...databasesIn(cluster.folder),
    async stop() {
      keeper.ref();
      const ended = once(keeper, 'exit');
      keeper.stdin?.end('keep\n');
      await ended;
      stopped.add(cluster.folder);
    },
    async start() {
      stopped.delete(cluster.folder);
      keeper = await run(cluster, durability);
    },
  };
}

async function run({ folder, data, program, account }: Cluster, durability: readonly string[]): Promise<ChildProcess> {
  const settings = [...SETTINGS, ...durability, `unix_socket_directories=${folder}`].flatMap((setting) => [
    '-c',
    setting,
  ]);
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
