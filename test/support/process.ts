import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { START_ENVIRONMENT, START_FLAGS } from '../../bin/start-flags.js';

export type Variables = Readonly<Record<string, string>>;

export type Finished = {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type RunningProcess = {
  readonly stdout: () => string;
  /** The first match in what it has printed or will print. Fails when the process ends without one. */
  readonly waitFor: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly isRunning: () => boolean;
  /** Its end, to be asked for when it must come: the wait for it has a deadline. */
  readonly finished: (deadlineMs?: number) => Promise<Finished>;
};

export type RunningService = RunningProcess & {
  readonly url: string;
  /** Root of the interface. */
  readonly api: string;
  readonly opsUrl: string;
  readonly call: (key: string, path: string, init?: CallInit) => Promise<Response>;
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
};

export type CallInit = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
};

export const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** As the launcher starts what it launches. The XML parser is not optimised: a service that lives for seconds would gain nothing. */
export const QUICK_START: readonly string[] = [...START_FLAGS, '--liftoff-only'];
/** Each process compiles the same files: a third of the time that most of them live. */
export const COMPILE_CACHE = join(PROJECT, 'node_modules', '.cache', 'compile');
/** The program in a line of a shell. */
export const DOSTAVA_IN_SHELL = [process.execPath, ...QUICK_START, 'src/main.ts'].map((word) => `'${word}'`).join(' ');
/** Far above what anything takes on the busiest machine, and below the limit of a test: reached only by what would never come. */
const DEADLINE_MS = 600_000;
/** What takes long is looked at less and less often: looking takes time from what is waited for. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS, GROWTH] = [5, 100, 1.3] as const;
/** Enough for all that the test files of one run have there at a time, eight megabytes for each database of PostgreSQL among it. */
const SPACIOUS_BYTES = 2 ** 32;

const [FIRST_PORT, PORT_RANGES, PORTS_A_RANGE] = [10_000, 200, 100] as const;
let nextPort = 0;
let portRange: Promise<number> | null = null;

/** The databases of PostgreSQL are there, too. */
export const PLACE_FOR_FOLDERS = placeForFolders();
const alive = new Set<ChildProcess>();
const folders: string[] = [];
/** Where programs and scripts make files that they leave behind. */
let forPrograms: string | null = null;

// Whatever way the tests end, nothing of theirs stays behind.
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
process.once('SIGTERM', () => process.exit(143));

/** A folder that is gone when the tests of the file are over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(PLACE_FOR_FOLDERS, 'dostava-'));
  folders.push(folder);
  return folder;
}

/**
 * Memory where the system offers it: what tests write must outlive their processes, not the machine, and most of the time of
 * a commit is the wait for a disk. Whoever sets TMPDIR decides.
 */
function placeForFolders(): string {
  const memory = '/dev/shm';
  if (process.env['TMPDIR'] !== undefined) return tmpdir();
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > SPACIOUS_BYTES ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * A port that nothing listens on, and neither on the one above it. Below those that systems give to outgoing connections, and in
 * another range for each test process: a port that is free now is still free when the program under test listens on it.
 */
export async function freePort(): Promise<number> {
  portRange ??= claimPortRange();
  const range = await portRange;
  for (;;) {
    // The first one of the range is the claim to it.
    const port = range + 2 + (nextPort % (PORTS_A_RANGE - 2));
    nextPort += 2;
    const [first, second] = await Promise.all([port, port + 1].map((each) => listenOn(each).catch(() => null)));
    await Promise.all([first, second].map((server) => server && new Promise((resolve) => server.close(resolve))));
    if (first && second) return port;
  }
}

/** Whoever listens on the first port of a range has it to itself until its process ends. */
async function claimPortRange(): Promise<number> {
  for (let tried = 0; tried < PORT_RANGES; tried += 1) {
    const range = FIRST_PORT + ((process.pid + tried) % PORT_RANGES) * PORTS_A_RANGE;
    const claim = await listenOn(range).catch(() => null);
    if (claim === null) continue;
    claim.unref();
    return range;
  }
  throw new Error('Every range of ports is taken.');
}

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Whether something accepts connections there. */
export async function isListening(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Looks again and again until there is something to see. The last look begins when the time is over: a slow one is no failure. */
export async function until<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  deadlineMs = DEADLINE_MS,
): Promise<NonNullable<Value>> {
  const deadline = performance.now() + deadlineMs;
  for (let pauseMs: number = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)) {
    const isLast = performance.now() > deadline;
    const found = await look();
    if (found !== false && found !== null && found !== undefined) return found;
    if (isLast) assert.fail(`Not within ${deadlineMs} ms: ${what}`);
    await pause(pauseMs);
  }
}

/** The program without its launcher, with these arguments and with no variables of this environment but the given ones. */
export function startDostava(t: TestContext, args: readonly string[], variables: Variables): RunningProcess {
  return startProgram(t, process.execPath, [...QUICK_START, 'src/main.ts', ...args], variables);
}

export function startProgram(
  t: TestContext,
  program: string,
  args: readonly string[],
  variables: Variables,
): RunningProcess {
  forPrograms ??= temporaryFolder();
  const env = {
    ...START_ENVIRONMENT,
    TMPDIR: forPrograms,
    PATH: process.env['PATH'],
    // The second thread of a service that lives for seconds costs as much as the first and reads nothing.
    READING_THREADS: '1',
    // However slow the machine is, nobody is refused for that.
    MAX_SUBMISSION_WAIT_MS: '60000',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...variables,
  };
  const child = spawn(program, args, { cwd: PROJECT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  alive.add(child);
  const closed = once(child, 'close').finally(() => alive.delete(child)) as Promise<[number | null, NodeJS.Signals]>;
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  }
  t.after(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  return {
    stdout: () => printed.stdout,
    signal: (name) => void child.kill(name),
    isRunning: () => alive.has(child),
    waitFor: (pattern) =>
      until(`${pattern} in the output`, () => {
        const match = pattern.exec(printed.stdout);
        if (match === null && !alive.has(child)) assert.fail(`Ended without ${pattern}: ${JSON.stringify(printed)}`);
        return match;
      }),
    async finished(deadlineMs = DEADLINE_MS) {
      await until(`the end of "${args.slice(-3).join(' ')}"`, () => !alive.has(child), deadlineMs);
      const [exitCode, signal] = await closed;
      return { exitCode, signal, ...printed };
    },
  };
}

const WELCOME = /demo environment: (\S+)\/api\/integration\/v1\n[^\n]* (\S+)\/health\/ready.*Ctrl-C/su;

/** The service in its demo environment, on free ports and without waiting for turns, once it has said that it listens. */
export async function startService(t: TestContext, variables: Variables): Promise<RunningService> {
  const ports = { PORT: '0', OPS_PORT: '0', SIMULATOR_PORT: '0' };
  // However slow the machine is, no answer of the authority is late.
  const standard = { ...ports, AUTHORITY_PACE_MS: '0', AUTHORITY_TIMEOUT_SECONDS: '300' };
  const running = startDostava(t, ['serve'], { ...standard, ...variables });
  const [, url = '', opsUrl = ''] = await running.waitFor(WELCOME);
  return { ...running, ...serviceAt(running, url), opsUrl };
}

/** What can be done with a process that serves at the address. */
export function serviceAt(running: RunningProcess, url: string): Omit<RunningService, keyof RunningProcess | 'opsUrl'> {
  const api = `${url}/api/integration/v1`;
  return {
    url,
    api,
    call: (key, path, { headers, ...init } = {}) =>
      fetch(`${api}${path}`, { ...init, headers: { 'X-Api-Key': key, 'X-Software-Id': 'test/1.0', ...headers } }),
    async stop(signal = 'SIGTERM') {
      running.signal(signal);
      const { exitCode, stderr } = await running.finished();
      assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
    },
  };
}
