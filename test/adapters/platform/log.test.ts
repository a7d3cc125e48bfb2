import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { before, test } from 'node:test';
import { createLog } from '../../../src/adapters/platform/log.ts';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';

const PROGRAM = new URL('./write-log-lines.ts', import.meta.url).pathname;
const FULL = '/dev/full';
/** Far above what it takes: reached only by a process that would never end. */
const NEVER_MS = 60_000;

let output = '';
let lines: readonly Record<string, unknown>[] = [];
before(() => {
  output = execFileSync(process.execPath, [PROGRAM], { encoding: 'utf8' });
  lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
});

test('a key is struck out wherever headers are logged; the rest of them stays', () => {
  assert.doesNotMatch(output, /dostava_secret/);
  assert.equal(output.match(/\(withheld\)/g)?.length, 3);
  assert.equal(output.match(/ledger\/4\.2/g)?.length, 3);
});

test('a line tells the time in ISO 8601, the level by name, and nothing of the machine', () => {
  for (const line of lines) {
    assert.match(String(line['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(!('pid' in line) && !('hostname' in line));
  }
  assert.deepEqual(
    lines.map(({ level }) => level),
    ['info', 'info', 'info', 'warn'],
  );
});

test('an error is logged with its message and stack', () => {
  const error = lines.at(-1)?.['err'] as { message: string; stack: string };
  assert.equal(error.message, 'a failure');
  assert.match(error.stack, /write-log-lines/);
});

test('levels below the chosen one are silent', () => {
  assert.doesNotMatch(output, /too detailed/);
  assert.equal(createLog('silent', systemTimers).level, 'silent');
});

test('a process that ends right after its first lines ends, also where the disk is full', {
  skip: existsSync(FULL) ? false : `there is no ${FULL} here`,
}, () => {
  const full = openSync(FULL, 'w');
  try {
    const { status, signal } = spawnSync(process.execPath, [PROGRAM, 'exit'], {
      stdio: ['ignore', full, 'inherit'],
      timeout: NEVER_MS,
      killSignal: 'SIGKILL',
    });
    assert.deepEqual([status, signal], [3, null]);
  } finally {
    closeSync(full);
  }
});

test('a process that ends right after its last lines has written them', () => {
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, 'exit'], { encoding: 'utf8' });
  assert.equal(status, 3);
  assert.equal(stdout.trim().split('\n').length, lines.length);
});
