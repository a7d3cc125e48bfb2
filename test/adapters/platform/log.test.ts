import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, test } from 'node:test';
import { createLog } from '../../../src/adapters/platform/log.ts';

const PROGRAM = new URL('./write-log-lines.ts', import.meta.url).pathname;

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
  assert.equal(createLog('silent').level, 'silent');
});
