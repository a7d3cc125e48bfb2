import assert from 'node:assert/strict';
import { accessSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openFoundation } from '../../src/app/foundation.ts';
import { readConfig } from '../../src/config.ts';
import { commandsOnNewDatabase } from '../cli/commands-here.ts';
import { newTenant } from '../engines/samples.ts';
import {
  DOSTAVA_IN_SHELL,
  freePort,
  startProgram,
  temporaryFolder,
  until,
  type Variables,
} from '../support/process.ts';

/** So many that their list does not fit into a pipe that nobody reads. */
const TENANTS = 600;
const FULL = '/dev/full';
const NO_FULL_DISK = isThere(FULL) ? false : `there is no ${FULL} here`;

test('a command whose output nobody reads ends quietly, as one that a broken pipe has ended', async (t) => {
  const variables = await filledDatabase();
  const command = `${DOSTAVA_IN_SHELL} tenant list --json`;
  for (const script of [`${command} | head -c 1`, `${command} 2>&1 | head -c 1`]) {
    const { stdout, stderr } = await shell(t, `${script}; echo " \${PIPESTATUS[0]}"`, variables);
    assert.deepEqual([stdout, stderr], ['[ 141\n', ''], script);
  }
  // What is said on standard error has no reader either: the exit code stays.
  const { stdout } = await shell(t, `${DOSTAVA_IN_SHELL} nonsense 2>&1 | :; echo "\${PIPESTATUS[0]}"`, variables);
  assert.equal(stdout, '2\n');
});

test('a command whose output cannot be written says so in one sentence', { skip: NO_FULL_DISK }, async (t) => {
  const variables = await filledDatabase();
  const sentence = 'The output could not be written: no space left on device.\n';
  for (const [words, exitCode, stderr] of [
    [`tenant list > ${FULL}`, 1, sentence],
    [`--help > ${FULL}`, 1, sentence],
    [`tenant list > ${FULL} 2> ${FULL}`, 1, ''],
    [`nonsense 2> ${FULL}`, 2, ''],
  ] as const) {
    const ended = await shell(t, `${DOSTAVA_IN_SHELL} ${words}`, variables);
    assert.deepEqual([ended.exitCode, ended.stdout, ended.stderr], [exitCode, '', stderr], words);
  }
});

test('the service goes on when nobody reads its output, and ends in order', async (t) => {
  await serveInto(t, '>(:)', '');
});

test('the service goes on when its output cannot be written', { skip: NO_FULL_DISK }, async (t) => {
  await serveInto(t, FULL, 'The output could not be written: no space left on device.\n');
});

test('the service ends in order although its output is not read by whoever holds it', async (t) => {
  const pipe = join(temporaryFolder(), 'pipe');
  // It holds both ends itself, and the pipe is full from the start.
  const full = `mkfifo ${pipe}; exec 3<> ${pipe}; dd if=/dev/zero of=${pipe} bs=4096 count=16 oflag=nonblock status=none;`;
  await serveInto(t, pipe, '', full);
});

async function serveInto(t: TestContext, output: string, said: string, before = ''): Promise<void> {
  const port = await freePort();
  const variables = {
    DATA_DIR: temporaryFolder(),
    PORT: String(port),
    OPS_PORT: String(port + 1),
    SIMULATOR_PORT: String(await freePort()),
    // The log is written to the same place. Calls are told there; to deliver the document of the demo would take as long as the start.
    LOG_LEVEL: 'debug',
    ROLE: 'api',
  };
  const service = startProgram(t, 'bash', ['-c', `${before} exec ${DOSTAVA_IN_SHELL} serve > ${output}`], variables);
  await until('the service is ready', () => {
    assert.ok(service.isRunning());
    return isReady(`http://127.0.0.1:${port + 1}/health/ready`);
  });
  // Lines of the log that wait to be written must not keep it from ending.
  for (let calls = 0; calls < 20; calls += 1) await isReady(`http://127.0.0.1:${port}/api/integration/v1/ping`);
  service.signal('SIGTERM');
  const { exitCode, stderr } = await service.finished();
  assert.deepEqual([exitCode, stderr], [0, said]);
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => null);
  await response?.body?.cancel();
  return response?.ok === true;
}

let filled: Promise<Variables> | null = null;

/** One for all tests: none of them changes it. */
function filledDatabase(): Promise<Variables> {
  filled ??= fillDatabase();
  return filled;
}

async function fillDatabase(): Promise<Variables> {
  const variables = { DATA_DIR: temporaryFolder() };
  await commandsOnNewDatabase(variables);
  const { engine, storage } = await openFoundation(readConfig(variables));
  await storage.transaction(async (tx) => {
    for (let added = 0; added < TENANTS; added += 1) await tx.tenants.add(newTenant(), 0);
  });
  await engine.close();
  return variables;
}

function shell(t: TestContext, script: string, variables: Variables) {
  return startProgram(t, 'bash', ['-c', script], variables).finished();
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}
