import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Check, runCheck } from '../../scripts/test-runner/run-check.ts';
import { createTestReport } from '../../scripts/test-runner/test-report.ts';

const { signal } = new AbortController();

test('what a check prints is in the report, and one that fails or cannot be started fails the run', async () => {
  const good = await reportOf(shell('echo fine'));
  assert.match(good, /▸ some check, .*\nfine\n/u);
  assert.doesNotMatch(good, /Failed:/u);
  const bad = await reportOf(shell('echo wrong; echo "in line 3" >&2; exit 1'));
  for (const told of [/^wrong$/mu, /^in line 3$/mu, /^Failed:\n {2}some check$/mu]) assert.match(bad, told);
  const missing = { name: 'some check', program: '/nowhere/at/all', args: [] };
  assert.match(await reportOf(missing), /ENOENT.*Failed:\n {2}some check\n/su);
});

function shell(line: string): Check {
  return { name: 'some check', program: 'sh', args: ['-c', line] };
}

/** What is printed of a run with this check, one test that passed, and nothing else. */
async function reportOf(check: Check): Promise<string> {
  let printed = '';
  const report = createTestReport((text) => {
    printed += text;
  });
  const counts = { tests: 1, passed: 1 };
  const events = [{ type: 'test:summary', data: { success: true, counts } }];
  report.add({ lane: 'SQLite', files: ['a.test.ts'] }, 1, { events, ending: 'exit code 0' });
  report.addCheck(check, 1, await runCheck(check, signal));
  const isGood = await report.finish();
  assert.equal(isGood, !printed.includes('Failed:'));
  return printed;
}
