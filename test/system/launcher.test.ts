import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { START_FLAGS } from '../../bin/start-flags.js';
import { PROJECT, temporaryFolder, type Variables } from '../support/process.ts';

type Report = {
  readonly pid: number;
  readonly flags: readonly string[];
  readonly words: readonly string[];
  readonly compileCache: string;
};

const LAUNCHER = join(PROJECT, 'bin', 'dostava.js');
const REPORTING = `--import=${new URL('./report-start.js', import.meta.url)}`;
const { bin, scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<'start' | 'dostava', string>>;
};

/** Runs a command where `node` is the one of these tests, as npm does. */
function run(program: string, args: readonly string[], variables: Variables = {}) {
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env = { PATH, HOME: temporaryFolder(), ...variables };
  return spawnSync(program, args, { cwd: PROJECT, env, encoding: 'utf8' });
}

function report(program: string, args: readonly string[], variables: Variables = {}): Report {
  const { status, stdout, stderr } = run(program, args, { NODE_OPTIONS: REPORTING, ...variables });
  assert.equal(stderr, '');
  assert.equal(status, 7, 'the exit code of the program');
  return JSON.parse(stdout) as Report;
}

test('every documented way to start the program starts it with the flags, in the place of the launcher', () => {
  const installed = join(temporaryFolder(), 'dostava');
  symlinkSync(join(PROJECT, bin['dostava'] ?? ''), installed);
  const ways: readonly (readonly [program: string, args: readonly string[], words: readonly string[]])[] = [
    ['sh', ['-c', scripts.start], ['serve']],
    ['sh', ['-c', `${scripts.dostava} key list --json`], ['key', 'list', '--json']],
    [installed, ['tenant', 'add', '--name', 'two words'], ['tenant', 'add', '--name', 'two words']],
  ];
  for (const [program, args, words] of ways) {
    const said = report(program, args);
    assert.deepEqual([said.flags, said.words], [START_FLAGS, words]);
  }
});

test('no process stays between the caller and the program, so that signals reach it', () => {
  const { pid, stdout } = run(process.execPath, [LAUNCHER, 'serve'], { NODE_OPTIONS: REPORTING });
  assert.equal((JSON.parse(stdout) as Report).pid, pid);
});

test('a flag that is given by hand comes after ours', () => {
  const byHand = '--max-old-space-size=512';
  assert.deepEqual(report(process.execPath, [byHand, LAUNCHER, 'serve']).flags, [...START_FLAGS, byHand]);
});

test('no signal opens a port of Node for debugging, by which every user of the machine could read keys', () => {
  const script = `
    process.kill(process.pid, 'SIGUSR1');
    setTimeout(() => console.log(process.getBuiltinModule('node:inspector').url() ?? 'closed'), 500);`;
  const { status, stdout, stderr } = run(process.execPath, [...START_FLAGS, '--eval', script]);
  assert.deepEqual([status, stdout, stderr], [0, 'closed\n', '']);
});

test('an exit code of the program is the exit code of the command', () => {
  const compiled = { NODE_COMPILE_CACHE: join(PROJECT, 'node_modules', '.cache', 'compile') };
  assert.equal(run(process.execPath, [LAUNCHER, '--help'], compiled).status, 0);
  assert.equal(run(process.execPath, [LAUNCHER, 'no-such-command'], compiled).status, 2);
});

/** Makes a process believe that its Node has this version. */
const pretending = (version: string) =>
  `--import=data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`;

test('a Node that is too old gets a sentence, with the right one beside it or where to get one', () => {
  const tooOld = (launcher: string) => {
    const { status, stdout, stderr } = run(process.execPath, [pretending('20.19.1'), launcher, 'serve']);
    assert.deepEqual([status, stdout], [1, '']);
    const [first, second, ...more] = stderr.split('\n');
    assert.equal(first, `Dostava needs Node 24 or newer. This is Node 20.19.1: ${process.execPath}`);
    assert.deepEqual(more, ['']);
    return second;
  };
  const installed = join(PROJECT, 'node_modules', 'node', 'bin', 'node');
  assert.equal(tooOld(LAUNCHER), `The right one is installed beside it: ${installed} ${LAUNCHER}`);
  const copy = temporaryFolder();
  cpSync(join(PROJECT, 'bin'), join(copy, 'bin'), { recursive: true });
  cpSync(join(PROJECT, 'package.json'), join(copy, 'package.json'));
  assert.match(tooOld(join(copy, 'bin', 'dostava.js')) ?? '', /^Install one, or run "npm ci --omit=dev"/u);
});

test('a newer Node, which may not know the flags, runs without them', () => {
  const newer = pretending('26.0.0');
  assert.deepEqual(report(process.execPath, [newer, LAUNCHER, 'serve']).flags, [newer]);
});

test("compiled code is kept in the user's own folder, unless another one is named", () => {
  const home = temporaryFolder();
  const cacheOf = (variables: Variables) => report(process.execPath, [LAUNCHER], variables).compileCache;
  assert.equal(cacheOf({ HOME: home }), join(home, '.cache', 'dostava'));
  assert.equal(cacheOf({ HOME: home, XDG_CACHE_HOME: join(home, 'caches') }), join(home, 'caches', 'dostava'));
  assert.equal(cacheOf({ HOME: home, NODE_COMPILE_CACHE: join(home, 'here') }), join(home, 'here'));
  run(process.execPath, [LAUNCHER, '--help'], { HOME: home });
  assert.equal(readdirSync(join(home, '.cache', 'dostava')).length, 1);
});

test('nobody else can write where compiled code is kept, whatever the umask says and who made the folder', () => {
  const home = temporaryFolder();
  const cache = join(home, '.cache', 'dostava');
  const modeAfterStart = () => {
    run('sh', ['-c', 'umask 0; exec node "$0" --version', LAUNCHER], { HOME: home });
    return statSync(cache).mode & 0o777;
  };
  assert.equal(modeAfterStart(), 0o700);
  chmodSync(cache, 0o777);
  assert.equal(modeAfterStart(), 0o700);
});

test('a folder of compiled code that is of another user, or that his link leads to, is neither used nor changed', (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can give a folder to another user');
  const home = temporaryFolder();
  const cache = join(home, '.cache', 'dostava');
  const target = join(home, 'target');
  mkdirSync(cache, { recursive: true });
  mkdirSync(target);
  const assertUnused = (folder: string) => {
    chmodSync(folder, 0o755);
    assert.equal(run(process.execPath, [LAUNCHER, '--version'], { HOME: home }).status, 0);
    assert.deepEqual([readdirSync(folder), statSync(folder).mode & 0o777], [[], 0o755]);
  };
  chownSync(cache, 1, 1);
  assertUnused(cache);
  rmdirSync(cache);
  symlinkSync(target, cache);
  lchownSync(cache, 1, 1);
  assertUnused(target);
});

test('where compiled code cannot be kept, the program says nothing of it and runs', () => {
  const { status, stderr } = run(process.execPath, [LAUNCHER, '--help'], { NODE_COMPILE_CACHE: '/dev/null/nowhere' });
  assert.deepEqual([status, stderr], [0, '']);
});

test('a user without a home starts the program too, which keeps nothing then', (t) => {
  const unknown = { uid: 54_321, gid: 54_321, cwd: PROJECT, env: {}, encoding: 'utf8' } as const;
  const { status: canRun } = spawnSync(process.execPath, [LAUNCHER, '--version'], { ...unknown, env: { HOME: '/' } });
  if (canRun !== 0) return t.skip('this process cannot become another user, or that one cannot read the program');
  const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, '--version'], unknown);
  assert.deepEqual([status, stderr], [0, '']);
});
