import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectFile } from '../consistency/source-files.ts';
import { isListening, startProgram, temporaryFolder } from '../support/process.ts';

type Package = {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
};

const { scripts, dependencies } = JSON.parse(projectFile('package.json')) as Package;

/** Ends by itself within seconds: it compiles and formats, and keeps no port and no database. */
const NO_PROGRAM_LAST = ['check'];

test('in every script the program that runs last takes the place of the shell', () => {
  const names = Object.keys(scripts).filter((name) => !NO_PROGRAM_LAST.includes(name));
  assert.ok(names.length >= 15, `${names.length} scripts`);
  const shells = names.filter(
    (name) => !/(?:^|&& )(?:\w+=\S+ )*exec (?:node|npm|biome|rm) [^&|;]*$/u.test(scripts[name] ?? ''),
  );
  assert.deepEqual(shells, []);
});

test('the Node that runs the program is installed without development dependencies', () => {
  assert.match(dependencies['node'] ?? '', /^24\./u);
});

const WELCOME = /demo environment: http:\/\/127\.0\.0\.1:(\d+)\/.*http:\/\/127\.0\.0\.1:(\d+)\/health\/ready.*Ctrl-C/su;

test('SIGTERM to "npm start" stops the service in order: nothing stays, exit code 0', async (t) => {
  const ports = { PORT: '0', OPS_PORT: '0', SIMULATOR_PORT: '0' };
  const npm = startProgram(t, 'npm', ['start'], { ...ports, DATA_DIR: temporaryFolder() });
  const [, port, opsPort] = await npm.waitFor(WELCOME);
  npm.signal('SIGTERM');
  const { exitCode, signal } = await npm.finished();
  // npm ends with the exit code of the service, so that has ended before; a shell between them would end by the signal.
  assert.deepEqual([exitCode, signal], [0, null]);
  for (const each of [port, opsPort]) assert.equal(await isListening(Number(each)), false);
});
