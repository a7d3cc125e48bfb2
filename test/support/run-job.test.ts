import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runJob } from '../../scripts/test-runner/run-job.ts';
import { createTestReport, isEnd } from '../../scripts/test-runner/test-report.ts';
import { temporaryFolder } from './process.ts';

test('a job of several files fails with a test of theirs, and with an error that no test waits for', async () => {
  const passes = fileWith('assert.ok(true)');
  assert.deepEqual(await endOf(passes, fileWith('await null')), [true, 0]);
  assert.deepEqual(await endOf(passes, fileWith('await null; assert.fail()')), [false, 1]);
  // The timer is of a test that has ended, and so is whatever goes on when it fires.
  const timer = 'globalThis.fired = new Promise((fire) => setTimeout(fire, 20))';
  const unhandled = 'await fired; Promise.reject(new Error("late")); await new Promise(setImmediate)';
  assert.equal((await endOf(passes, fileWith(timer, unhandled)))[0], false);
});

test('a job runs the tests with the names that were asked for, in one file and in several', async () => {
  const file = fileWith('assert.ok(true)');
  for (const files of [[file], [file, fileWith('assert.ok(true)')]]) {
    assert.deepEqual(await testsOf(files, ['so.e']), [true, files.length]);
    assert.deepEqual(await testsOf(files, ['another']), [true, 0]);
  }
});

test('of a process that dies the report says how', async () => {
  const endings = { 'process.exit(7)': 'exit code 7', 'process.kill(process.pid, "SIGKILL")': 'SIGKILL' };
  for (const [body, ending] of Object.entries(endings)) {
    const job = { lane: 'SQLite', files: [fileWith(body)] } as const;
    let printed = '';
    const report = createTestReport((text) => {
      printed += text;
    });
    report.add(job, 1, await resultOf(job.files, []));
    assert.equal(await report.finish(), false);
    assert.ok(printed.includes(`(it did not come to its end: ${ending})`), printed);
  }
});

test('a hook that fails after all tests ends its job, although no other one closes what keeps the process', async () => {
  const [failing, closing] = [fileWith('assert.ok(true)'), fileWith('assert.ok(true)')];
  appendFileSync(failing, `import { after } from 'node:test';\nafter(() => assert.fail('not stopped'));\n`);
  appendFileSync(
    closing,
    `import { after, before } from 'node:test';\nlet timer;\nbefore(() => { timer = setInterval(() => {}, 1_000); });\nafter(() => clearInterval(timer));\n`,
  );
  const { events, ending } = await resultOf([failing, closing], []);
  assert.deepEqual(
    events.filter(({ type }) => ['test:pass', 'test:fail'].includes(type)).map(({ data }) => data.name),
    ['some', 'some', failing],
  );
  assert.equal(ending, 'exit code 1');
});

test('what a failed test has left open does not keep its job: the others are run, and then it ends', async () => {
  const leaves = fileWith('setInterval(() => {}, 1_000); assert.fail()');
  const { events, ending } = await resultOf([leaves, fileWith('await null')], []);
  const outcomes = events.map(({ type }) => type).filter((type) => ['test:pass', 'test:fail'].includes(type));
  assert.deepEqual([outcomes, ending], [['test:fail', 'test:pass'], 'exit code 1']);
});

test('what a process has sent arrives, also if the one that reads it is busy until the other would have ended', async () => {
  const [file, marker] = ['sender.mjs', 'sends'].map((name) => join(temporaryFolder(), name)) as [string, string];
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs';
    import { sendToParent } from ${JSON.stringify(import.meta.resolve('../../scripts/test-runner/send-to-parent.ts'))};
    writeFileSync(${JSON.stringify(marker)}, '');
    for (let message = 1; message <= 2_000; message += 1) await sendToParent(message);
    process.disconnect();`,
  );
  const child = fork(file, { execArgv: [] });
  const received: unknown[] = [];
  child.on('message', (message) => received.push(message));
  stopReading(marker);
  await once(child, 'close');
  assert.deepEqual([received.length, received.at(-1)], [2_000, 2_000]);
});

/** Until the file is there, a minute at most, and as long again as a process needs to send more than the system keeps for it. */
function stopReading(file: string): void {
  const pause = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  for (let tries = 0; tries < 1_200 && !existsSync(file); tries += 1) pause(50);
  pause(300);
}

function fileWith(...bodies: readonly string[]): string {
  const file = join(temporaryFolder(), 'some.test.mjs');
  const imports = `import assert from 'node:assert';\nimport { test } from 'node:test';\n`;
  writeFileSync(file, imports + bodies.map((body) => `test('some', async () => { ${body}; });\n`).join(''));
  return file;
}

async function endOf(...files: readonly string[]) {
  const end = await run(files, []);
  return [end?.success, end?.counts?.['failed']];
}

async function testsOf(files: readonly string[], namePatterns: readonly string[]) {
  const end = await run(files, namePatterns);
  return [end?.success, end?.counts?.['tests']];
}

async function run(files: readonly string[], namePatterns: readonly string[]) {
  return (await resultOf(files, namePatterns)).events.findLast(isEnd)?.data;
}

function resultOf(files: readonly string[], namePatterns: readonly string[]) {
  const { signal } = new AbortController();
  // This process may be one of node:test's, which runs no others.
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const options = { timeoutMs: 120_000, namePatterns, environment, signal };
  return runJob({ lane: 'SQLite', files }, options);
}
